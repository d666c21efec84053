import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { OTLPLogExporter as OTLPJsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { otlpLogs } from '../../../../rest-bridge/receivers/otlp-logs.ts'
import { lengthDelimited } from '../../../support/rest-bridge/protobuf-logs.ts'
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

test('an exception without a body is its own title', () => {
  const attributes = [
    { key: 'exception.type', value: { stringValue: 'TypeError' } },
    { key: 'exception.message', value: { stringValue: 'order 7 has no price' } },
  ]
  const [only] = eventsOf(receive(otlpLogs, log({ severityNumber: 17, body: {}, attributes })))
  expect(only?.event).toMatchObject({
    title: 'TypeError: order 7 has no price',
    severity: 'ERROR',
    properties: { template: 'TypeError: order # has no price' },
  })
})

test('the response counts refused records in the shape of the protocol', () => {
  expect(receive(otlpLogs, log({}))).toEqual([
    { refused: 'The log record has neither eventName, body nor exception' },
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

const PROTOBUF = { headers: { 'content-type': 'application/x-protobuf' } }

test('protobuf that the exporter of OpenTelemetry sends is read as its JSON is', async () => {
  const collector = createServer(async (request, response) => {
    bodies.push(await buffer(request))
    response.end()
  }).listen(0, '127.0.0.1')
  const bodies: Buffer[] = []
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/v1/logs`
  try {
    for (const Exporter of [OTLPLogExporter, OTLPJsonLogExporter]) {
      const exporter = new Exporter({ url })
      const resource = resourceFromAttributes({ 'service.name': 'shop', 'process.pid': 2 ** 40 })
      const processors = [new SimpleLogRecordProcessor({ exporter })]
      const provider = new LoggerProvider({ resource, processors })
      provider.getLogger('pay', '1').emit({
        ...{ timestamp: 1_795_834_800_123, severityNumber: 17, severityText: 'ERROR' },
        ...{ body: 'Payment 4711 failed', eventName: 'payment' },
        attributes: { amount: 12.5, ok: false, tags: ['a', 'b'], nested: { n: 1 } },
      })
      await provider.forceFlush()
      await provider.shutdown()
    }
  } finally {
    collector.close()
    collector.closeAllConnections()
  }
  const [protobuf, json] = bodies
  const [ofProtobuf] = eventsOf(receive(otlpLogs, protobuf, PROTOBUF))
  const [ofJson] = eventsOf(receive(otlpLogs, json))
  const times = { createdAt: expect.any(String) }
  expect(ofProtobuf?.event).toEqual({ ...ofJson?.event, ...times })
  expect(ofProtobuf?.event).toMatchObject({
    ...{ title: 'payment', message: 'Payment 4711 failed', severity: 'ERROR' },
    ...{ source: { ref: 'shop' }, createdAt: '1795834800123000000' },
  })
})

test.each<[bytes: string, refusal: RegExp]>([
  ['\x0a\x7f', /no protobuf of OTLP logs: it is cut off/],
  ['{"resourceLogs": []}', /no protobuf of OTLP logs: /],
  ['\x0a\x04\x12\x08\x12\x00', /no protobuf of OTLP logs: /],
])('%j is no protobuf', (bytes, refusal) => {
  expect(() => receive(otlpLogs, Buffer.from(bytes, 'latin1'), PROTOBUF)).toThrow(refusal)
})

test('values that hold values without end are refused, not followed', () => {
  let value: Buffer = Buffer.alloc(0)
  for (let depth = 0; depth < 200; depth++) value = lengthDelimited(depth % 2 ? 5 : 1, value)
  const record = lengthDelimited(5, value)
  const body = lengthDelimited(1, lengthDelimited(2, lengthDelimited(2, record)))
  expect(() => receive(otlpLogs, body, PROTOBUF)).toThrow(/nested deeper than 100 messages/)
})

test('fields that are unknown are skipped', () => {
  const text = lengthDelimited(1, Buffer.from('x'))
  const unknown = Buffer.from([((99 << 3) & 0x7f) | 0x80, (99 << 3) >> 7, 1])
  const record = Buffer.concat([unknown, lengthDelimited(5, text)])
  const body = lengthDelimited(1, lengthDelimited(2, lengthDelimited(2, record)))
  expect(eventsOf(receive(otlpLogs, body, PROTOBUF))[0]?.event.title).toBe('x')
})
