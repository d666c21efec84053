import { type ExecutionResult, GraphQLError } from 'graphql'
import { type ServedBridge, serveBridge } from '../../support/rest-bridge/served-bridge.ts'

let bridge: ServedBridge
afterEach(() => bridge.stop())

const log = (body: object) => ({ severityNumber: 17, ...body })
const BUSY = new GraphQLError('busy', { extensions: { code: 'OVERLOADED' } })
const REFUSED = {}
const FINE = { body: { stringValue: 'x' } }

const post = async (...records: object[]) => {
  const response = await fetch(`${bridge.base}/v1/receivers/otlp/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: records.map(log) }] }] }),
  })
  return [response.status, await response.json()]
}

/** A graph that takes in all events, but fails for the calls of these numbers. */
const failingAt = (...calls: number[]) => {
  let call = 0
  return (_: string, { input }: Record<string, unknown>): ExecutionResult => {
    call++
    if (calls.includes(call)) return { errors: [BUSY] }
    const { events } = input as { events: object[] } // as the bridge sends it
    const accepted = events.map((_, index) => ({ index, id: 'e' }))
    return { data: { ingestEvents: { sent: events.length, success: 'ALL', accepted, errors: [] } } }
  }
}

/** Numbers of events in the calls of the graph. */
const calls = () =>
  bridge.asked.map(({ variables }) => (variables.input as { events: object[] }).events.length)

test('a request whose refusals cannot be stored is repeated, and its records count once', async () => {
  bridge = await serveBridge(failingAt(2))
  expect(await post(FINE, REFUSED)).toEqual([503, expect.anything()])
  const [status, body] = await post(FINE, REFUSED)
  expect([status, body]).toEqual([
    200,
    { partialSuccess: { rejectedLogRecords: '1', errorMessage: expect.any(String) } },
  ])
  expect(calls()).toEqual([1, 1, 1])
  // All is said: the same records once more are others.
  expect((await post(FINE, REFUSED))[0]).toBe(200)
  expect(calls()).toEqual([1, 1, 1, 1, 1])
})

test('a repetition of a request of many parts goes on behind those that are stored', async () => {
  bridge = await serveBridge(failingAt(2))
  const records = Array.from({ length: 2_500 }, () => FINE)
  expect((await post(...records))[0]).toBe(503)
  expect(await post(...records)).toEqual([200, {}])
  expect(calls()).toEqual([1_000, 1_000, 1_000, 500])
})

test('a request of which nothing is stored begins anew', async () => {
  bridge = await serveBridge(failingAt(1))
  expect((await post(FINE))[0]).toBe(503)
  expect(await post(FINE)).toEqual([200, {}])
  expect(calls()).toEqual([1, 1])
})
