import { alertmanager, prometheus } from '../../../../rest-bridge/receivers/alerts.ts'
import { captured, eventsOf, receive } from '../../../support/rest-bridge/received.ts'

test('each alert of Alertmanager has its own status, its labels as identity, and its start or end as time', () => {
  const [firing = [], resolved = [], , ...rest] = captured('alertmanager-0.25-webhook').map(
    ({ body }) => eventsOf(receive(alertmanager, body)),
  )
  expect(firing.map(({ event }) => event)).toMatchObject([
    {
      title: 'Disk of db1 is 91 % full',
      severity: 'WARN',
      status: 'OPEN',
      source: { ref: 'db1', type: 'host' },
      createdAt: '2026-11-28T02:56:16.789Z',
      fingerprintFields: ['alertname', 'cluster', 'instance', 'severity'],
      properties: { alertname: 'DiskFull', cluster: 'a', instance: 'db1', severity: 'warning' },
    },
    { title: 'Disk of db2 is 97 % full', severity: 'CRITICAL', status: 'OPEN' },
  ])
  const [ended, stands] = resolved
  expect(ended?.event).toMatchObject({ status: 'CLOSED', createdAt: '2026-11-28T02:56:25.835Z' })
  expect(stands?.event.status).toBe('OPEN')
  expect(stands?.key).toBe(firing[1]?.key)
  expect(ended?.key).not.toBe(firing[0]?.key)
  expect(rest).toEqual([])
})

test('alerts that were left out are an event of their own', () => {
  const requests = captured('alertmanager-0.25-webhook')
  const truncated = eventsOf(receive(alertmanager, requests.at(-1)?.body)).at(-1)
  expect(truncated?.event).toMatchObject({
    title: expect.stringMatching(/^Alertmanager left out \d+ alerts of a group$/),
    severity: 'WARN',
    status: 'OPEN',
    fingerprintFields: ['groupKey', 'receiver'],
  })
})

test('an alert of Prometheus is open while its end lies ahead, and later repeats have the same key', () => {
  const all = captured('prometheus-2.42-api-v2-alerts').map(({ body }) =>
    eventsOf(receive(prometheus, body)),
  )
  const [[first] = [], [ended, next] = [], [again] = []] = all
  expect(first?.event).toMatchObject({
    title: 'value NaN',
    severity: 'CRITICAL',
    status: 'OPEN',
    createdAt: '2026-11-28T03:01:07.632Z',
  })
  expect(again?.key).toBe(first?.key)
  expect(ended?.event).toMatchObject({
    title: 'LabelFromValue',
    severity: 'CRITICAL',
    status: 'CLOSED',
    createdAt: '2026-11-28T03:01:11.632Z',
  })
  expect(next?.event.status).toBe('OPEN')
})

test('the severity of collectd is its state, and metrics are refused one by one', () => {
  const requests = captured('collectd-5.12-write_http').map(({ body }) => receive(prometheus, body))
  const events = eventsOf(requests.slice(0, 3).flat()).map(({ event }) => event)
  expect(events.map(({ severity, status }) => [severity, status])).toEqual([
    ['INFO', 'OK'],
    ['WARN', 'OPEN'],
    ['ERROR', 'OPEN'],
  ])
  expect(events[0]).toMatchObject({
    createdAt: '2026-11-28T03:01:50.937Z',
    fingerprintFields: ['alertname', 'instance', 'test', 'service'],
  })
  expect(requests.at(-1)?.every((each) => 'refused' in each)).toBe(true)
})

test.each([
  ['critical', 'CRITICAL'],
  ['PAGE', 'CRITICAL'],
  ['high', 'ERROR'],
  ['medium', 'WARN'],
  ['none', 'INFO'],
  ['P1', 'WARN'],
  ['constructor', 'WARN'],
  [undefined, 'INFO'],
])('the severity %s becomes %s, and the word stays', (severity, expected) => {
  const labels = { alertname: 'a', severity }
  const [only] = eventsOf(receive(prometheus, [{ labels, startsAt: '2026-11-28T03:00:00Z' }]))
  expect(only?.event.severity).toBe(expected)
  expect(only?.event.properties?.severity).toBe(severity)
})

test('the faults of single alerts are theirs alone', () => {
  const sound = { labels: { alertname: 'a' }, startsAt: '2026-11-28T03:00:00Z' }
  const received = receive(prometheus, [sound, 1, {}, { ...sound, startsAt: 'soon' }])
  expect(received.map((each) => 'refused' in each)).toEqual([false, true, true, true])
  expect(() => receive(prometheus, {})).toThrow('expected a list')
  expect(() => receive(alertmanager, {})).toThrow('alerts: expected a list')
})
