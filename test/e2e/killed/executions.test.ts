import type { Client } from 'graphql-ws'
import { readUntil } from '../../conformance/calls.ts'
import { accept, rawEvent, read } from '../../conformance/events.ts'
import { connect, data } from '../../support/e2e/graph.ts'
import { assay, useAssay } from '../../support/e2e/product.ts'
import { ended, run, startPaused } from '../../support/e2e/scenarios.ts'
import { useGate } from '../../support/gate.ts'
import { survivorsOf } from '../../support/process-tree.ts'

useAssay()

describe('executions', () => {
  let client: Client
  beforeEach(() => {
    client = connect()
  })
  afterEach(() => client.dispose())
  const gate = useGate()

  const eventsOf = async (id: string) => {
    const { executionResult } = await data<{
      executionResult: { events: { timesSeen: number }[] }
    }>('query ($id: ID!) { executionResult(id: $id) { events { timesSeen } } }', { id })
    return executionResult.events
  }

  test('an execution whose process is killed leaves nothing behind, runs once more and ends once', async () => {
    const { runner } = assay().parts
    const { id } = await startPaused(client, gate())
    const sandboxes = await assay().sandboxes()
    expect(sandboxes.length).toBeGreaterThan(0)
    expect(await assay().kill(runner, 'SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    expect(await survivorsOf(sandboxes)).toEqual([])
    gate().open()
    await assay().restart(runner)
    expect(await ended(id)).toMatchObject({ state: 'COMPLETED', message: '' })
    expect(
      await readUntil(
        () => eventsOf(id),
        ([event]) => event !== undefined,
      ),
    ).toEqual([{ timesSeen: 1 }])
  })

  test('an execution that loses its process twice ends as ERROR and says so', async () => {
    const { runner } = assay().parts
    const { id } = await startPaused(client, gate())
    await assay().kill(runner, 'SIGKILL')
    await assay().restart(runner)
    await readUntil(
      async () => assay().logs(runner),
      (logs) => new RegExp(`"executionId":"${id}".*"attempt":2`).test(logs),
    )
    await assay().kill(runner, 'SIGKILL')
    await assay().restart(runner)
    expect(await ended(id)).toMatchObject({
      state: 'ERROR',
      message: expect.stringContaining('lost'),
    })
  })

  test('an execution that must not run twice ends as ERROR when its process is killed', async () => {
    const { runner } = assay().parts
    const { id } = await startPaused(client, gate(), { rerunAfterCrash: false })
    await assay().kill(runner, 'SIGKILL')
    await assay().restart(runner)
    expect(await ended(id)).toMatchObject({
      state: 'ERROR',
      message: 'The worker that ran this execution was lost',
    })
  })

  test('what was accepted before a kill is there after it', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => accept(rawEvent())))
    const { events } = assay().parts
    await assay().kill(events, 'SIGKILL')
    await assay().restart(events)
    for (const id of ids)
      expect(await read(id)).toMatchObject({ status: 200, body: { timesSeen: 1 } })
    expect((await run('loan-schedule')).state).toBe('COMPLETED')
  })
})
