import { jest } from '@jest/globals'
import { pino } from 'pino'
import type { HttpRequest } from '../../../gateway/http/http-message.ts'
import { createMetrics } from '../../../gateway/observability/metrics.ts'
import { requestObserver } from '../../../gateway/observability/observers.ts'

test('of a flood of refusals ten a second are logged, and the next line has the number of the others', () => {
  jest.useFakeTimers({ now: 0 })
  const lines: { status: number; unlogged?: number }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const observe = requestObserver({ metrics: createMetrics(), log, accessLog: 0 })
  const request = { method: 'POST', url: '/', bytesWritten: 0, caller: {} } as HttpRequest // what is read of one
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
