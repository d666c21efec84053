import { execute, readResult } from '../../conformance/executions.ts'
import { collect, connect, type Update, watch } from '../../support/e2e/graph.ts'
import { assay, useAssay } from '../../support/e2e/product.ts'
import {
  createGatedScenario,
  createSlowScenario,
  ended,
  isAt,
  startPaused,
} from '../../support/e2e/scenarios.ts'
import { useGate } from '../../support/gate.ts'

useAssay()

describe('stop', () => {
  const CLEAN = { code: 0, signal: null }
  const gate = useGate()

  test('SIGTERM lets a running execution end', async () => {
    const { runner } = assay().parts
    const client = connect()
    const { id } = await startPaused(client, gate())
    await client.dispose()
    const exit = assay().kill(runner, 'SIGTERM')
    gate().open()
    expect(await exit).toEqual(CLEAN)
    expect(assay().logs(runner)).toMatch(new RegExp(`"executionId":"${id}".*"Execution ended"`))
    expect(assay().logs(runner)).toMatch(/"signal":"SIGTERM","msg":"Stop requested/)
    await assay().restart(runner)
    expect(await ended(id)).toMatchObject({ state: 'COMPLETED' })
  })

  test('SIGTERM tells watchers to come back, and they miss nothing', async () => {
    const { gateway } = assay().parts
    const client = connect()
    const { id } = await startPaused(client, gate())
    const before: Update[] = []
    const paused = Promise.withResolvers<void>()
    const watching = (async () => {
      for await (const update of watch(client, id, '')) {
        before.push(update)
        if (isAt('pause')(update)) paused.resolve()
      }
    })()
    const cut = watching.catch((closed: unknown) => closed)
    await paused.promise
    const exit = assay().kill(gateway, 'SIGTERM')
    expect(await cut).toMatchObject({ code: 1012 })
    gate().open()
    expect(await exit).toEqual(CLEAN)
    await client.dispose()

    await assay().restart(gateway)
    const again = connect()
    const rest = await collect(watch(again, id, before.at(-1)?.cursor))
    const all = await collect(watch(again, id, ''))
    await again.dispose()
    expect([...before, ...rest].map(({ cursor }) => cursor)).toEqual(
      all.map(({ cursor }) => cursor),
    )
  })

  test('SIGTERM ends within 40 s and answers a caller that waits for an execution that takes longer', async () => {
    const { gateway, runner } = assay().parts
    const contextId = await createSlowScenario(150_000, { rerunAfterCrash: false })
    const answer = execute(`/testcase/${contextId}/execute?synchron=true`)
    await assay().says(runner, new RegExp(`"contextId":"${contextId}".*"Execution begins"`))
    const parts = [...new Set([gateway, runner])]
    // Throws after 40 s.
    const ends = parts.map((part) => assay().kill(part, 'SIGTERM'))
    expect(await Promise.all(ends)).toEqual(parts.map(() => CLEAN))
    const { status, headers, body } = await answer
    expect({ status, body }).toMatchObject({ status: 503, body: { status: 503 } })
    expect(headers.get('retry-after')).toBe('2')
    expect(JSON.stringify(body)).toContain('Idempotency-Key')
    const logs = assay().logs(runner)
    expect(logs).toContain('"Job aborted by the stop"')
    const failures = logs.split('\n').filter((line) => line.includes('"level":50'))
    expect(failures.filter((line) => !line.includes('"status":503'))).toEqual([])
    for (const part of parts) await assay().restart(part)
  })

  /** The last one, as it does not start the gateway again. */
  test('SIGTERM lets a caller that waits have its answer', async () => {
    const { gateway } = assay().parts
    const contextId = await createGatedScenario(gate())
    // The first call fetches the result that others are compared with.
    await readResult('no-such-id')
    const answer = execute(`/testcase/${contextId}/execute?synchron=true`)
    await assay().says(
      assay().parts.runner,
      new RegExp(`"contextId":"${contextId}".*"Execution begins"`),
    )
    const exit = assay().kill(gateway, 'SIGTERM')
    gate().open()
    expect(await exit).toEqual(CLEAN)
    expect(await answer).toMatchObject({ status: 200, body: { state: 'COMPLETED' } })
  })
})
