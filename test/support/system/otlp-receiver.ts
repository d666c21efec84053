import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  service: string
  name: string
  traceId: string
  spanId: string
  /** Empty for the first of a trace. */
  parentId: string
  attributes: Record<string, string>
}

/** A collector of OpenTelemetry: takes traces as OTLP over HTTP, in protobuf. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    bodies.push(body)
    if (request.url === '/v1/traces') spans.push(...spansIn(body))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: spans as readonly ReceivedSpan[],
    /** Everything as it came, to look for what must not be in it. */
    text: () => Buffer.concat(bodies).toString('latin1'),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Fields = Map<number, (Buffer | number)[]>

/** Field numbers are those of opentelemetry/proto/trace/v1/trace.proto. */
function spansIn(body: Buffer): ReceivedSpan[] {
  return partsOf(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const [resource = new Map()] = partsOf(resourceSpans, 1)
    const service = attributesOf(resource, 1)['service.name'] ?? ''
    return partsOf(resourceSpans, 2)
      .flatMap((scope) => partsOf(scope, 2))
      .map((span) => ({
        service,
        name: textOf(span, 5),
        traceId: bytesOf(span, 1).toString('hex'),
        spanId: bytesOf(span, 2).toString('hex'),
        parentId: bytesOf(span, 4).toString('hex'),
        attributes: attributesOf(span, 9),
      }))
  })
}

const attributesOf = (fields: Fields, field: number): Record<string, string> =>
  Object.fromEntries(
    partsOf(fields, field).map((pair) => {
      const [value = new Map()] = partsOf(pair, 2)
      const [number] = value.get(3) ?? value.get(2) ?? []
      return [textOf(pair, 1), number === undefined ? textOf(value, 1) : String(number)]
    }),
  )

const bytesOf = (fields: Fields, field: number): Buffer => {
  const [value] = fields.get(field) ?? []
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}

const textOf = (fields: Fields, field: number): string => bytesOf(fields, field).toString('utf8')

const partsOf = (fields: Fields, field: number): Fields[] =>
  (fields.get(field) ?? []).filter(Buffer.isBuffer).map(fieldsOf)

/** The wire format of Protocol Buffers: varints, eight or four bytes, and lengths with bytes. */
function fieldsOf(message: Buffer): Fields {
  const fields: Fields = new Map()
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  const take = (length: number): Buffer => {
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = varint()
    const type = tag % 8
    const value = type === 0 ? varint() : take(type === 1 ? 8 : type === 5 ? 4 : varint())
    const field = Math.floor(tag / 8)
    fields.set(field, [...(fields.get(field) ?? []), value])
  }
  return fields
}
