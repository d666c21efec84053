import { status } from '../../../support/collector.ts'
import { deliveryOf, executeWithCallback, withCollector } from '../../callbacks.ts'
import { graphql, readUntil } from '../../calls.ts'
import { execute, readResult, SCENARIOS } from '../../executions.ts'
import { inSection, product } from '../../row.ts'

/** Compares waiting times, which may be off: they are spread, and a busy machine is late, by less than the next waiting time. */
const expectAbout = (actual: number, expected: number) => {
  expect(actual).toBeGreaterThan(expected * 0.85)
  expect(actual).toBeLessThan(expected * 1.15 + 15_000)
}

export const callbacks = inSection('TX', 'Events', [
  {
    id: 'TX-148',
    rule: 'The end of an execution MUST be posted to its callbackUrl, and only there; without one nothing is posted.',
    check: () =>
      withCollector(async (collector) => {
        const untold = await execute('/testcase/loan-schedule/execute?synchron=true')
        expect(untold.body.state).toBe('COMPLETED')
        const id = await executeWithCallback(`${collector.url}/ended?a=1&b=%2F`)
        await deliveryOf(id, ({ state }) => state === 'DELIVERED')
        expect(collector.requests).toMatchObject([{ method: 'POST', path: '/ended?a=1&b=%2F' }])
        const { executionResult } = await graphql<{
          executionResult: { callbackDeliveries: unknown[] }
        }>('query ($id: ID!) { executionResult(id: $id) { callbackDeliveries { id } } }', {
          id: untold.body.id,
        })
        expect(executionResult.callbackDeliveries).toEqual([])
      }),
  },
  {
    id: 'TX-149',
    rule: 'The body of a callback MUST be exactly what GET /result/{resultId} gives.',
    check: () =>
      withCollector(async (collector) => {
        for (const scenario of SCENARIOS) {
          const id = await executeWithCallback(collector.url, scenario)
          const [request] = await collector.received(1, ({ body }) => body.includes(id))
          const answer = await fetch(`${product().base}/result/${id}`)
          expect(request?.body).toBe(await answer.text())
          expect(request?.headers['content-type']).toBe(answer.headers.get('content-type'))
        }
      }),
  },
  {
    id: 'TX-150',
    rule: 'A callback MUST carry webhook-id (the same in every attempt), webhook-timestamp and webhook-signature.',
    check: () =>
      withCollector(
        async (collector) => {
          let earliestMs = Date.now()
          const id = await executeWithCallback(collector.url)
          const delivery = await deliveryOf(id, ({ state }) => state === 'DELIVERED')
          expect(collector.requests).toHaveLength(2)
          for (const { headers, receivedMs } of collector.requests) {
            expect(headers['webhook-id']).toBe(delivery.id)
            expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
            const sentMs = Number(headers['webhook-timestamp']) * 1_000 // of a whole second
            expect(sentMs).toBeGreaterThan(earliestMs - 1_000)
            expect(sentMs).toBeLessThan(receivedMs + 1_000)
            earliestMs = receivedMs
          }
        },
        (response, nth) => void response.writeHead(nth === 1 ? 500 : 200).end(),
      ),
  },
  {
    id: 'TX-151',
    rule: 'An answer of 2xx MUST count as delivered and 410 as the end; anything else, a redirect or 10 s of silence is tried again.',
    check: async () => {
      const becomes = (answered: number, state: string) =>
        withCollector(
          async (collector) => {
            const id = await executeWithCallback(collector.url)
            const delivery = await deliveryOf(id, ({ attempts }) => attempts.length > 0)
            expect(delivery).toMatchObject({ state, attempts: { 0: { status: answered } } })
            expect(delivery.nextAttemptAt).toEqual(state === 'PENDING' ? expect.any(String) : null)
            // On a slow machine the next attempt may have come.
            if (state !== 'PENDING') expect(collector.requests).toHaveLength(1)
          },
          (response) => void response.writeHead(answered, { location: '/elsewhere' }).end(),
        )
      const silence = () =>
        withCollector(
          async (collector) => {
            const id = await executeWithCallback(collector.url)
            const delivery = await deliveryOf(id, ({ attempts }) => attempts.length > 0)
            expect(delivery).toMatchObject({ state: 'PENDING', attempts: { 0: { status: null } } })
            expectAbout(delivery.attempts[0]?.durationMs ?? 0, 10_000)
          },
          () => {},
        )
      await Promise.all([
        ...[200, 204, 299].map((answered) => becomes(answered, 'DELIVERED')),
        becomes(410, 'GIVEN_UP'),
        ...[301, 307, 308, 400, 404, 429, 500, 503].map((answered) => becomes(answered, 'PENDING')),
        silence(),
      ])
    },
  },
  {
    // The first two waits are seen here; all of them stand in a unit test, and death in an integration test.
    id: 'TX-152',
    rule: 'Attempts MUST be spread over about 5 s, 30 s, 2 min, 10 min, 30 min, 2 h and 8 h, then the callback is dead: listed and re-deliverable.',
    check: () =>
      withCollector(async (collector) => {
        const id = await executeWithCallback(collector.url)
        const { attempts, nextAttemptAt } = await deliveryOf(id, (seen) => seen.attempts.length > 1)
        const [first, second] = attempts.map(({ started }) => Date.parse(started))
        expectAbout((second ?? 0) - (first ?? 0), 5_000)
        expectAbout(Date.parse(nextAttemptAt ?? '') - (second ?? 0), 30_000)

        const LIST =
          '{ callbackDeliveries(filter: { state: GIVEN_UP }, first: 1) { nodes { id } } }'
        collector.answer(status(410))
        const gone = await executeWithCallback(`${collector.url}/gone`)
        const given = await deliveryOf(gone, ({ state }) => state === 'GIVEN_UP')
        expect(await graphql(LIST, {})).toEqual({
          callbackDeliveries: { nodes: [{ id: given.id }] },
        })
        collector.answer(status(200))
        await graphql(
          'mutation ($input: RedeliverCallbackInput!) { redeliverCallback(input: $input) { state } }',
          { input: { id: given.id } },
        )
        await readUntil(
          () => deliveryOf(gone, ({ attempts }) => attempts.length > 0),
          ({ state }) => state === 'DELIVERED',
        )
        expect((await readResult(gone)).body.state).toBe('COMPLETED')
      }, status(500)),
  },
])
