import { jest } from '@jest/globals'
import { pino } from 'pino'
import type { HttpRequest } from '../../../gateway/http/http-message.ts'
import { createMetrics } from '../../../gateway/observability/metrics.ts'
import { requestObserver } from '../../../gateway/observability/observers.ts'

const request = {
  method: 'POST',
  url: '/',
  bytesWritten: 0,
  caller: {},
  headers: {},
} as HttpRequest // what is read of one

test('ACCESS_LOG is the part of the requests that are logged; failed ones all are', () => {
  const lines: { level: number; status: number }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const observe = requestObserver({ metrics: createMetrics(), log, accessLog: 0.25 })
  const random = jest.spyOn(Math, 'random')
  for (let nth = 0; nth < 8; nth++) {
    random.mockReturnValue(nth / 8)
    observe(request, '/graphql', false).end(200)
    observe(request, '/healthz', true).end(200)
    observe(request, '/readyz', true).end(503)
  }
  expect(lines).toMatchObject(Array(2).fill({ level: 30, status: 200 }))
  observe(request, '/graphql', false).end(500)
  expect(lines.slice(2)).toMatchObject([{ level: 50, status: 500 }])
  random.mockRestore()
})

test('of a flood of refusals ten a second are logged, and the next line has the number of the others', () => {
  jest.useFakeTimers({ now: 0 })
  const lines: { status: number; unlogged?: number }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const observe = requestObserver({ metrics: createMetrics(), log, accessLog: 0 })
  const end = (status: number) => observe(request, '/graphql', false).end(status)
  for (let refused = 0; refused < 500; refused++) end(503)
  expect(lines).toHaveLength(10)
  for (let failed = 0; failed < 20; failed++) end(500)
  expect(lines).toHaveLength(30)
  jest.advanceTimersByTime(1_000)
  end(503)
  end(503)
  expect(lines.slice(30).map(({ unlogged }) => unlogged)).toEqual([490, undefined])
  jest.useRealTimers()
})

test('a client that names itself stands in the line and is counted, on /graphql alone', async () => {
  const lines: { client?: string; version?: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const metrics = createMetrics()
  const observe = requestObserver({ metrics, log, accessLog: 1 })
  const headers = { 'graphql-client-name': 'web', 'graphql-client-version': '7' }
  const named = Object.assign(Object.create(request), { headers })
  observe(named, '/graphql', false).end(200)
  observe(named, '/api/testcase', false).end(200)
  observe(request, '/graphql', false).end(200)
  expect(lines.map(({ client, version }) => [client, version])).toEqual([
    ['web', '7'],
    ...[[], []].map(() => [undefined, undefined]),
  ])
  const text = await metrics.registry.getSingleMetricAsString('assay_graphql_client_requests_total')
  expect(text.split('\n').slice(2)).toEqual([
    'assay_graphql_client_requests_total{client="web",version="7",status="200"} 1',
  ])
})
