import { setTimeout as delay } from 'node:timers/promises'
import { execute } from '../../conformance/executions.ts'
import { assay, useAssay } from '../../support/e2e/product.ts'
import { createGatedScenario, createSlowScenario } from '../../support/e2e/scenarios.ts'
import { useGate } from '../../support/gate.ts'

useAssay({ env: { WORKER_SLOTS: '1' } })

describe('many waiting', () => {
  /** More than any pool of connections that queries share. */
  const WAITING = 80
  const gate = useGate()

  test('callers that wait for executions hold up nobody who reads', async () => {
    const [slow, quick] = [await createGatedScenario(gate()), await createSlowScenario(1)]
    /** Sends again what was refused with 503, as a slow machine accepts fewer at a time. */
    const run = async (id: string): ReturnType<typeof execute> => {
      const answer = await execute(`/testcase/${id}/execute?synchron=true`)
      if (answer.status !== 503) return answer
      await delay(100)
      return run(id)
    }
    const first = run(slow)
    await assay().says(
      assay().parts.runner,
      new RegExp(`"contextId":"${slow}".*"Execution begins"`),
    )
    // The only slot is taken: none of these ends before the gate opens.
    const waiting = Array.from({ length: WAITING }, () => run(quick))
    const reads = Array.from({ length: 5 }, () => fetch(`${assay().url}/api/testcase/${quick}`))
    for (const { status } of await Promise.all(reads)) expect(status).toBe(200)
    gate().open()
    for (const { body } of await Promise.all([first, ...waiting]))
      expect(body).toMatchObject({ state: 'COMPLETED' })
  })
})
