import { once } from 'node:events'
import { connect as connectTo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { encoded, execute, readResult } from '../../conformance/executions.ts'
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

  test('SIGTERM ends within 40 s and answers all who wait for executions that take longer', async () => {
    const { gateway, runner } = assay().parts
    const contextId = await createSlowScenario(150_000, { rerunAfterCrash: false })
    const responses = text(await executeTwiceOnOneConnection(contextId))
    const client = connect()
    const overSocket = client
      .iterate({ query: EXECUTE, variables: waiting(contextId) })
      .next()
      .catch((errors: unknown) => errors)
    const overEvents = await executeOverEvents(contextId)
    await assay().says(
      runner,
      new RegExp(`("contextId":"${contextId}".*"Execution begins"[^]*){3}`),
    )
    const parts = [...new Set([gateway, runner])]
    // Throws after 40 s.
    const ends = parts.map((part) => assay().kill(part, 'SIGTERM'))
    expect(await Promise.all(ends)).toEqual(parts.map(() => CLEAN))
    const events = await overEvents.text()
    expect(events).toMatch(/"code":"OVERLOADED".*"retryAfterSeconds":2/)
    expect(events).toMatch(/event: complete\ndata:\n\n$/)
    // The second one waited for the first.
    const refused = ['HTTP/1.1 503', 'Retry-After: 2']
    const heads = (await responses).match(/HTTP\/1\.1 \d+|Retry-After: \d+/g)
    expect(heads).toEqual([...refused, ...refused])
    expect(await responses).toMatch(/"status":503,.*Idempotency-Key.*"code":"OVERLOADED"/)
    const error = { extensions: { code: 'OVERLOADED', retryAfterSeconds: 2 } }
    expect(await overSocket).toMatchObject([error])
    await client.dispose()
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

const EXECUTE = 'mutation ($input: ExecuteInput!) { execute(input: $input) { state } }'
const waiting = (contextId: string) => ({
  input: { contextId, credentials: { userId: 'ci', password: 'secret' }, wait: true },
})

/** Waits for an execution over Server-Sent Events. */
async function executeOverEvents(contextId: string): Promise<Response> {
  return fetch(`${assay().url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: EXECUTE, variables: waiting(contextId) }),
  })
}

/** Sends a call that waits, and behind it one that waits for it. */
async function executeTwiceOnOneConnection(id: string): Promise<Socket> {
  const { hostname, port } = new URL(assay().url)
  const socket = connectTo(Number(port), hostname)
  await once(socket, 'connect')
  const head = `POST /api/testcase/${id}/execute?synchron=true HTTP/1.1\r\nHost: localhost`
  const call = `${head}\r\ncredentials: ${encoded('ci', 'secret')}\r\nContent-Length: 0\r\n\r\n`
  socket.write(call + call)
  return socket
}
