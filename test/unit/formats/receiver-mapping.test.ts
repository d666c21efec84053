import { compileMapping, type ReceiverMapping } from '../../../formats/received/mapping.ts'
import { eventsOf } from '../../support/rest-bridge/received.ts'

const NOW = new Date('2026-11-28T03:01:20Z')

const map = (mapping: ReceiverMapping, body: unknown, most = 100) =>
  compileMapping(mapping)(body, NOW, most)
const eventOf = (mapping: Partial<ReceiverMapping>, body: unknown) =>
  eventsOf(map({ title: ['t'], ...mapping }, body))[0]

test('an alert of Grafana maps by its own words, and its labels in any order are its identity', () => {
  const grafana: ReceiverMapping = {
    items: '$.alerts',
    title: ['@.annotations.summary', '{{@.labels.alertname}} on {{@.labels.instance}}'],
    severity: ['@.labels.severity'],
    severityWords: { P1: 'CRITICAL' },
    status: ['@.status'],
    statusWords: { alerting: 'OPEN', normal: 'CLOSED' },
    createdAt: ['@.startsAt'],
    resolvedAt: ['@.endsAt'],
    source: { ref: ['@.labels.instance', '$.externalURL'], type: ['host'] },
    properties: { '*': '@.labels', rule: '@.ruleUID' },
    fingerprint: ['@.labels'],
    occurrenceId: ['{{@.status}} {{@.startsAt}}'],
  }
  const labels = { alertname: 'Disk', instance: 'db1', severity: 'p1' }
  const times = { startsAt: '2026-11-28T02:00:00Z', endsAt: '0001-01-01T00:00:00Z' }
  const externalURL = 'http://grafana'
  const send = (...alerts: object[]) => eventsOf(map(grafana, { externalURL, alerts }))
  const [open] = send({ status: 'Alerting', labels, ...times, ruleUID: 7 })
  expect(open).toEqual({
    event: {
      title: 'Disk on db1',
      severity: 'CRITICAL',
      status: 'OPEN',
      source: { ref: 'db1', type: 'host' },
      createdAt: times.startsAt,
      properties: { ...labels, rule: 7, fingerprint: JSON.stringify([labels]) },
      tags: [],
      fingerprintFields: ['fingerprint'],
    },
    key: 'Alerting 2026-11-28T02:00:00Z',
  })
  const { severity, instance, alertname } = labels
  const end = { ...times, endsAt: '2026-11-28T02:30:00Z' }
  const [ended, other] = send(
    { status: 'normal', labels: { severity, instance, alertname }, ...end },
    { status: 'normal', labels: { alertname: 'None' }, annotations: { summary: 'Gone' } },
  )
  expect(ended?.event).toMatchObject({
    ...{ status: 'CLOSED', createdAt: end.endsAt },
    properties: { fingerprint: open?.event.properties?.fingerprint },
  })
  expect(other?.event).toMatchObject({ title: 'Gone', source: { ref: externalURL } })
})

test.each<[resolved: unknown, status: string]>([
  [undefined, 'OPEN'],
  [null, 'OPEN'],
  [false, 'OPEN'],
  ['false', 'OPEN'],
  [0, 'OPEN'],
  ['', 'OPEN'],
  ['0001-01-01T00:00:00Z', 'OPEN'],
  ['2026-11-28T03:01:21Z', 'OPEN'],
  [1_795_834_881, 'OPEN'],
  [true, 'CLOSED'],
  [1, 'CLOSED'],
  ['yes', 'CLOSED'],
  ['2026-11-28T03:01:20Z', 'CLOSED'],
  [1_795_834_880_000, 'CLOSED'],
])('an item whose end is %j is %s', (resolved, status) => {
  expect(eventOf({ resolved: ['@.end'] }, { end: resolved })?.event.status).toBe(status)
})

test.each<[word: unknown, severity: string | undefined, kept: unknown]>([
  ['P2', 'ERROR', undefined],
  [' p2 ', 'ERROR', undefined],
  [30, 'WARN', undefined],
  ['Warning', 'WARN', undefined],
  ['fatal', 'WARN', 'fatal'],
  [null, undefined, undefined],
])('the word %j of severity is %s', (word, severity, kept) => {
  const severityWords = { p2: 'ERROR', '30': 'WARN' } as const
  const mapped = eventOf({ severity: ['@.level'], severityWords }, { level: word })
  expect(mapped?.event.severity).toBe(severity)
  expect(mapped?.event.properties?.severityWord).toBe(kept)
})

test('a word of status that is unknown stays, and an end closes what has another word', () => {
  expect(eventOf({ status: ['@.s'] }, { s: 'flapping' })?.event.status).toBe('flapping')
  const both = { status: ['@.s'], resolved: ['@.end'] }
  expect(eventOf(both, { s: 'open', end: true })?.event.status).toBe('CLOSED')
  expect(eventOf(both, { s: 'ok', end: true })?.event.status).toBe('OK')
  expect(eventOf({}, {})?.event.status).toBeUndefined()
})

test('each item of a list is an event, and one without a title is refused alone', () => {
  const received = map({ title: ['@.msg'], tags: ['@.tags', 'syslog'] }, [
    { msg: 'one\ntwo', tags: ['a', 'b'] },
    { other: 1 },
    7,
  ])
  expect(received).toMatchObject([
    { event: { title: 'one', message: 'one\ntwo', tags: ['a', 'b', 'syslog'] } },
    { refused: 'The title is missing: the body has nothing at @.msg' },
    { refused: expect.any(String) },
  ])
  const lists = { title: ['@.n'], items: "$['a b'][*].list[?@.on == true]" }
  const body = { 'a b': [{ list: [{ n: 1, on: true }, { n: 2 }] }, { list: [{ n: 3, on: true }] }] }
  expect(eventsOf(map(lists, body)).map(({ event }) => event.title)).toEqual(['1', '3'])
})

test('a body of more items than a call may have is refused before anything is mapped', () => {
  expect(() => map({ title: ['t'] }, [1, 2, 3], 2)).toThrow(
    /more than 2 events \(EVENTS_CALL_EVENTS\)/,
  )
})

test.each<[mapping: Partial<ReceiverMapping>, fault: RegExp]>([
  [{ title: ['@.a['] }, /^title: /],
  [{ title: ['{{a}}'] }, /^title: {{a}}: expected a path that begins with \$ .* or @/],
  [{ items: '$..alerts' }, /^items: \.\. is not supported/],
  [{ items: '$.a[?@..b]' }, /^items: \.\. is not supported/],
  [{ items: '$[*,*]' }, /^items: a list of selectors is not supported/],
  [{ items: '$.a[?count(@.b[*]) > 1]' }, /^items: only names and positions/],
  [{ items: "$.a[?match(@.b, '(a+)+')]" }, /^items: match\(\) is not supported/],
  [{ items: "$.a[?@.b[?@.c == 'd']]" }, /^items: only names and positions/],
  [{ properties: { host: '$[' } }, /^properties\.host: /],
  [{ source: { ref: ['@['] } }, /^source\.ref: /],
])('a mapping %j is refused', (mapping, fault) => {
  expect(() => compileMapping({ title: ['t'], ...mapping })).toThrow(fault)
})

test('numbers of the identity can be left out, as logs have them', () => {
  const syslog = { fingerprint: ['@.app', '@.msg'], ignoreNumbers: true }
  const of = (msg: string, mapping: Partial<ReceiverMapping>) =>
    eventOf(mapping, { app: 'cron', msg })?.event.properties?.fingerprint
  expect(of('job 1 failed', syslog)).toBe('["cron","job # failed"]')
  expect(of('job 1 failed', syslog)).toBe(of('job 22 failed', syslog))
  expect(of('job 1', { title: ['@.msg'], ignoreNumbers: true })).toBe('["job #"]')
})

test('paths leave exact numbers and members of prototypes alone', () => {
  expect(eventOf({ title: ['@.constructor', '@.b'] }, { b: 'own' })?.event.title).toBe('own')
  expect(eventOf({ title: ['@[-1]'] }, [[1, 2]])?.event.title).toBe('2')
})
