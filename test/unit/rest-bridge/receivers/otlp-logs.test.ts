import { otlpLogs } from '../../../../rest-bridge/receivers/otlp-logs.ts'
import { captured, eventsOf, receive } from '../../../support/rest-bridge/received.ts'

const log = (record: object, service = 'shop') => ({
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeLogs: [{ logRecords: [record] }],
    },
  ],
})

test('records of the JavaScript exporter become events', () => {
  const [first] = captured('otlp-logs-json-js-0.301').flatMap(({ body }) =>
    eventsOf(receive(otlpLogs, body)),
  )
  expect(first?.event).toMatchObject({
    title: 'disk.full',
    message: 'Disk almost full',
    severity: 'WARN',
    source: { ref: 'unknown_service:node', type: 'service' },
    createdAt: '1795834800123000000',
    properties: { attributes: { int: 42, neg: -5, frac: 1.5, nan: null, inf: null } },
    fingerprintFields: ['template'],
  })
  expect(first?.event.status).toBeUndefined()
})

test.each([
  [{ severityNumber: 12 }, 'INFO'],
  [{ severityNumber: 16 }, 'WARN'],
  [{ severityNumber: 17 }, 'ERROR'],
  [{ severityNumber: 24 }, 'CRITICAL'],
  [{ severityNumber: 0, severityText: 'Fatal' }, 'CRITICAL'],
  [{ severityText: 'Audit' }, 'WARN'],
  [{}, 'INFO'],
])('the severity of %j is %s', (given, severity) => {
  const [only] = eventsOf(receive(otlpLogs, log({ ...given, body: { stringValue: 'x' } })))
  expect(only?.event.severity).toBe(severity)
})

test('bodies that differ in numbers are one event, and integers keep their digits as a text, too', () => {
  const [first, second] = ['Payment 4711 of 12.50 failed', 'Payment 4712 of 3 failed'].map(
    (stringValue) => {
      const attributes = [{ key: 'id', value: { intValue: '9223372036854775807' } }]
      const record = { observedTimeUnixNano: 1795834832511, body: { stringValue }, attributes }
      return eventsOf(receive(otlpLogs, log(record)))[0]
    },
  )
  expect(first?.event.properties?.template).toBe('Payment # of # failed')
  expect(second?.event.properties?.template).toBe('Payment # of # failed')
  expect(JSON.stringify(first?.event.properties?.attributes)).toBe('{"id":9223372036854775807}')
  expect(first?.event.createdAt).toBe('1795834832511')
})

test('the response counts refused records in the shape of the protocol', () => {
  expect(receive(otlpLogs, log({}))).toEqual([
    { refused: 'The log record has neither eventName nor body' },
  ])
  const request = { body: Buffer.alloc(0), headers: {}, query: {}, now: new Date() }
  const errors = [{ index: 0, message: 'why' }]
  expect(otlpLogs.respond?.({ accepted: [], errors }, request)).toEqual({
    status: 200,
    body: { partialSuccess: { rejectedLogRecords: '1', errorMessage: 'why' } },
  })
  expect(otlpLogs.respond?.({ accepted: [], errors: [] }, request)).toEqual({
    status: 200,
    body: {},
  })
})
