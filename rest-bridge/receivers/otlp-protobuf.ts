import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { AppError } from '../../formats/errors.ts'

/** Reads a value where a field begins. @param depth messages around it */
type Read = (reader: BinaryReader, depth: number) => unknown

/** Number of a field → its name in the JSON of OTLP, and how its value is read. */
type Fields = Readonly<Record<number, readonly [name: string, read: Read, isRepeated?: 'repeated']>>

/** As other decoders of protobuf have it: a value may hold values. */
const MAX_DEPTH = 100

const text: Read = (reader) => reader.string()
/** A 64-bit integer is a text in the JSON of protobuf. */
const fixed64: Read = (reader) => String(reader.fixed64())
const int64: Read = (reader) => String(reader.int64())
const int32: Read = (reader) => reader.int32()
const bool: Read = (reader) => reader.bool()
const double: Read = (reader) => reader.double()
const bytesAs =
  (coding: 'hex' | 'base64'): Read =>
  (reader) =>
    Buffer.from(reader.bytes()).toString(coding)
const message =
  (fields: () => Fields): Read =>
  (reader, depth) => {
    if (depth === MAX_DEPTH) throw new Error(`it is nested deeper than ${MAX_DEPTH} messages`)
    const end = reader.uint32() + reader.pos
    return read(reader, end, fields(), depth + 1)
  }

const ANY_VALUE: Fields = {
  1: ['stringValue', text],
  2: ['boolValue', bool],
  3: ['intValue', int64],
  4: ['doubleValue', double],
  5: ['arrayValue', message(() => ({ 1: ['values', message(() => ANY_VALUE), 'repeated'] }))],
  6: ['kvlistValue', message(() => ({ 1: ['values', message(() => KEY_VALUE), 'repeated'] }))],
  7: ['bytesValue', bytesAs('base64')],
}

const KEY_VALUE: Fields = { 1: ['key', text], 2: ['value', message(() => ANY_VALUE)] }

const ATTRIBUTES = ['attributes', message(() => KEY_VALUE), 'repeated'] as const

const LOG_RECORD: Fields = {
  1: ['timeUnixNano', fixed64],
  2: ['severityNumber', int32],
  3: ['severityText', text],
  5: ['body', message(() => ANY_VALUE)],
  6: ATTRIBUTES,
  9: ['traceId', bytesAs('hex')],
  10: ['spanId', bytesAs('hex')],
  11: ['observedTimeUnixNano', fixed64],
  12: ['eventName', text],
}

const SCOPE_LOGS: Fields = {
  1: ['scope', message(() => ({ 1: ['name', text] }))],
  2: ['logRecords', message(() => LOG_RECORD), 'repeated'],
}

const RESOURCE_LOGS: Fields = {
  1: ['resource', message(() => ({ 1: ATTRIBUTES }))],
  2: ['scopeLogs', message(() => SCOPE_LOGS), 'repeated'],
}

const REQUEST: Fields = { 1: ['resourceLogs', message(() => RESOURCE_LOGS), 'repeated'] }

/** ExportLogsServiceRequest (opentelemetry-proto 1.x), as its JSON is parsed. @throws AppError BAD_USER_INPUT */
export function parseLogsRequest(body: Uint8Array): unknown {
  try {
    return read(new BinaryReader(body), body.length, REQUEST, 0)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it cannot be read'
    throw new AppError('BAD_USER_INPUT', `The request body is no protobuf of OTLP logs: ${why}`, {
      cause,
    })
  }
}

function read(reader: BinaryReader, end: number, fields: Fields, depth: number) {
  if (end > reader.len) throw new Error('it is cut off')
  const found: Record<string, unknown> = {}
  while (reader.pos < end) {
    const [number, wireType] = reader.tag()
    const field = fields[number]
    if (!field) {
      reader.skip(wireType, number)
      continue
    }
    const [name, readValue, isRepeated] = field
    const value = readValue(reader, depth)
    if (!isRepeated) found[name] = value
    else if (Array.isArray(found[name])) found[name].push(value)
    else found[name] = [value]
  }
  if (reader.pos !== end) throw new Error('a message is longer than it says')
  return found
}

/** google.rpc.Status. OTLP has no use for its code. */
export const statusOf = (message: string): Buffer =>
  Buffer.from(new BinaryWriter().tag(2, WireType.LengthDelimited).string(message).finish())

/** ExportLogsServiceResponse. */
export function logsResponse(rejected: number, why: string | undefined): Buffer {
  const writer = new BinaryWriter()
  if (rejected > 0) {
    writer.tag(1, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.Varint).int64(rejected)
    writer.tag(2, WireType.LengthDelimited).string(why ?? '')
    writer.join()
  }
  return Buffer.from(writer.finish())
}
