import { cloudevents } from '../../../../rest-bridge/receivers/cloudevents.ts'
import { eventsOf, receive } from '../../../support/rest-bridge/received.ts'

const EVENT = {
  specversion: '1.0',
  id: '1',
  source: '/backups',
  type: 'com.example.backup.failed',
  subject: 'nightly',
  time: '2026-11-28T02:56:16.123Z',
  datacontenttype: 'application/json',
  data: { host: 'db1' },
}
const EXPECTED = {
  title: 'nightly',
  severity: 'ERROR',
  status: 'OPEN',
  source: { ref: '/backups', type: 'cloudevents' },
  properties: { id: '1', type: EVENT.type, subject: 'nightly', data: { host: 'db1' } },
  createdAt: EVENT.time,
  fingerprintFields: ['type', 'subject'],
}

test('an event is the same in structured, binary and batch mode', () => {
  const { data, datacontenttype, ...attributes } = EVENT
  const binary = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [`ce-${name}`, encodeURIComponent(value)]),
  )
  const all = [
    receive(cloudevents, EVENT, {
      headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
    }),
    receive(cloudevents, data, { headers: { ...binary, 'content-type': datacontenttype } }),
    receive(cloudevents, [EVENT], {
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    }),
  ]
  for (const received of all) {
    expect(received).toHaveLength(1)
    expect(eventsOf(received)[0]).toMatchObject({ event: EXPECTED, key: '1' })
  }
})

test.each([
  ['com.example.disk.warning', undefined, 'WARN', 'OPEN'],
  ['com.example.disk.resolved.v1', undefined, 'INFO', 'CLOSED'],
  ['com.example.disk.created', undefined, 'INFO', undefined],
  ['com.example.DISK.FAILED', undefined, 'ERROR', 'OPEN'],
  ['Microsoft.Resources.ResourceWriteFailure', undefined, 'ERROR', 'OPEN'],
  ['com.example.backupResolved.v2', undefined, 'INFO', 'CLOSED'],
  ['com.example.userSignedUp', undefined, 'INFO', undefined],
  ['com.example.unfailed', undefined, 'INFO', undefined],
  ['com.example.disk.created', 21, 'CRITICAL', undefined],
])('the type %s with severity number %s is %s and %s', (type, severitynumber, severity, status) => {
  const [only] = eventsOf(receive(cloudevents, { ...EVENT, type, severitynumber }))
  expect([only?.event.severity, only?.event.status]).toEqual([severity, status])
})

test('an event without subject is titled by its type, and one that is none is refused alone', () => {
  const { subject: _, ...without } = EVENT
  const received = receive(cloudevents, [
    without,
    { ...EVENT, id: '' },
    { ...EVENT, specversion: '0.3' },
    4,
  ])
  expect(eventsOf(received.slice(0, 1))[0]?.event.title).toBe(EVENT.type)
  expect(received.slice(1)).toEqual([
    { refused: 'The attribute of the CloudEvent is missing: id' },
    { refused: 'specversion: expected 1.0' },
    { refused: 'The CloudEvent is not a JSON object' },
  ])
  expect(() =>
    receive(cloudevents, 'x', { headers: { 'content-type': 'application/cloudevents+xml' } }),
  ).toThrow('Content-Type')
})
