import type { Client } from 'graphql-ws'
import { readUntil } from '../../conformance/calls.ts'
import { readResult } from '../../conformance/executions.ts'
import { collect, connect, type Update, watch } from '../../support/e2e/graph.ts'
import { assay } from '../../support/e2e/product.ts'
import {
  createScenario,
  createSlowScenario,
  ended,
  isAt,
  run,
  start,
  startPaused,
} from '../../support/e2e/scenarios.ts'
import { useGate } from '../../support/gate.ts'

describe('watch', () => {
  let client: Client
  beforeEach(() => {
    client = connect()
  })
  afterEach(() => client.dispose())
  const gate = useGate()

  const stepsOf = (updates: Update[]): string[] =>
    updates.flatMap(({ step }) => (step ? [`${step.id} ${step.state}`] : []))

  test('a watcher from the beginning gets every step and the final state', async () => {
    const { id } = await start(await createSlowScenario(300))
    const updates = await collect(watch(client, id, ''))
    expect(updates[0]).toMatchObject({ kind: 'STATE', execution: { id, state: 'RUNNING' } })
    expect(stepsOf(updates)).toEqual([
      'answer RUNNING',
      'answer COMPLETED',
      'pause RUNNING',
      'pause COMPLETED',
      'end RUNNING',
      'end COMPLETED',
    ])
    expect(updates.at(-1)).toMatchObject({ kind: 'STATE', execution: { state: 'COMPLETED' } })
    expect(updates.flatMap(({ log }) => log ?? []).join('\n')).toContain('Step pause COMPLETED')
  })

  test('a watcher from now on gets the current state first, then what follows', async () => {
    const { id } = await startPaused(client, gate())
    const watching = watch(client, id)
    const { value: first } = await watching.next()
    gate().open()
    const updates = [first, ...(await collect(watching))].filter((update) => update !== undefined)
    expect(updates[0]).toMatchObject({ kind: 'STATE', execution: { id, state: 'RUNNING' } })
    expect(stepsOf(updates)).toEqual(['pause COMPLETED', 'end RUNNING', 'end COMPLETED'])
    expect(updates.at(-1)).toMatchObject({ kind: 'STATE', execution: { state: 'COMPLETED' } })
  })

  test('one subscription reads both subgraphs', async () => {
    const contextId = await createSlowScenario(1)
    const { id } = await run(contextId)
    const last = () => collect(watch(client, id))
    const [update] = await readUntil(
      async () => (await last()).slice(-1),
      ([seen]) => (seen?.execution.events.length ?? 0) > 0,
    )
    expect(update?.execution).toEqual({
      id,
      state: 'COMPLETED',
      events: [{ title: contextId, timesSeen: 1 }],
    })
  })

  test('who comes after the end gets the final state and is done', async () => {
    const { id, state, message } = await run('tax-table')
    expect({ state, message }).toEqual({
      state: 'FAILED',
      message: expect.stringContaining('0.45'),
    })
    expect(await collect(watch(client, id))).toMatchObject([
      { kind: 'STATE', execution: { state: 'FAILED' } },
    ])
  })

  test('a cursor continues behind its update, without a gap and without a repetition', async () => {
    const { id } = await startPaused(client, gate())
    const before = await collect(watch(client, id, ''), isAt('pause'))
    gate().open()
    const rest = await collect(watch(client, id, before.at(-1)?.cursor))
    await ended(id)
    const all = await collect(watch(client, id, ''))
    expect([...before, ...rest].map(({ cursor }) => cursor)).toEqual(
      all.map(({ cursor }) => cursor),
    )
    expect(new Set(all.map(({ cursor }) => cursor)).size).toBe(all.length)
  })

  test('many watchers see the same', async () => {
    const { id } = await start(await createSlowScenario(200))
    const seen = await Promise.all(Array.from({ length: 20 }, () => collect(watch(client, id, ''))))
    const cursors = seen.map((updates) => updates.map(({ cursor }) => cursor).join())
    expect(new Set(cursors).size).toBe(1)
  })

  /** From the clock of the worker that writes a line to the client that reads it. */
  const LOG_LINE_MS = 200

  interface Logged {
    executionUpdated: { log: string[] | null }
  }

  test('a log line is with its watcher within 200 ms', async () => {
    const source = 'export function say(n) {\n  console.log("line %d", n)\n}\n'
    const steps = Array.from({ length: 9 }, (_, n) => [
      { id: `pause-${n}`, wait: { ms: 60 } },
      { id: `say-${n}`, call: { function: 'say', args: [n] } },
    ])
    const contextId = await createScenario(source, steps.flat())
    // Other tests share the machine: what counts is that it does so when there is time.
    await readUntil(
      () => medianDelay(contextId),
      (ms) => ms <= LOG_LINE_MS,
    )
  })

  /** Milliseconds from the writing of a line to its reader; the one in the middle of nine. */
  async function medianDelay(contextId: string): Promise<number> {
    const { id } = await start(contextId)
    const query = 'subscription ($id: ID!) { executionUpdated(id: $id, after: "") { log } }'
    const delays: number[] = []
    for await (const { data } of client.iterate<Logged>({ query, variables: { id } })) {
      const now = Date.now()
      for (const line of data?.executionUpdated.log ?? [])
        if (/ {2}line \d$/.test(line)) delays.push(now - timeOf(line, now))
    }
    expect(delays).toHaveLength(9)
    return delays.sort((one, other) => one - other)[4] ?? Number.NaN
  }

  /** The moment at which a line was written: it says no day. */
  function timeOf(line: string, now: number): number {
    const today = new Date(now).toISOString().slice(0, 10)
    const time = Date.parse(`${today}T${line.slice(0, 12)}Z`)
    return time > now + 1_000 ? time - 86_400_000 : time
  }

  test('a client that leaves frees its upstream at once', async () => {
    const requestId = 'leaving-client'
    const leaving = connect({ 'x-request-id': requestId })
    const { id } = await startPaused(client, gate())
    const updates = watch(leaving, id)
    await updates.next()
    await readUntil(
      async () => assay().logs(),
      (logs) => logged(requestId, 'Subscription begins').test(logs),
    )
    void leaving.dispose()
    await readUntil(
      async () => assay().logs(),
      (logs) => logged(requestId, 'Subscription ended').test(logs),
    )
    expect((await readResult(id)).body.state).toBe('RUNNING')
    gate().open()
    await ended(id)
  })

  const logged = (requestId: string, message: string) =>
    new RegExp(`"requestId":"${requestId}"[^\n]*"msg":"${message}"`)

  test.each([
    ['an unknown execution', 'no-such-id', undefined, 'NOT_FOUND'],
    ['a cursor that is none', null, 'nonsense', 'CURSOR_EXPIRED'],
  ])('%s is refused with its code', async (_, unknownId, after, code) => {
    const id = unknownId ?? (await run('tax-table')).id
    const stream = client.iterate({
      query:
        'subscription ($id: ID!, $after: String) { executionUpdated(id: $id, after: $after) { kind } }',
      variables: { id, after },
    })
    const { value } = await stream.next()
    expect(value.errors).toEqual([
      expect.objectContaining({ extensions: { code, requestId: expect.any(String) } }),
    ])
    expect(await stream.next()).toMatchObject({ done: true })
  })
})
