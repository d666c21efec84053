import { AppError } from '../../formats/errors.ts'
import { numberOf } from '../../formats/json/exact-number.ts'
import { parseBounded } from '../../formats/json/json.ts'
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  present,
  requireFields,
  textOf,
  titled,
  withoutNumbers,
} from '../../formats/received/fields.ts'
import type { Received } from '../../formats/received/received.ts'
import { type Severity, severityOf, severityOfNumber, words } from '../../formats/received/words.ts'
import { type JsonSchema, MAP } from '../documents/json-schema.ts'
import { logsResponse, parseLogsRequest, statusOf } from './otlp-protobuf.ts'
import type { Receiver, SenderRequest } from './receiver.ts'

const SEVERITIES = words<Severity>({
  CRITICAL: 'fatal critical emergency alert',
  ERROR: 'error err severe',
  WARN: 'warn warning',
  INFO: 'info information informational notice debug trace verbose',
})

const PARTIAL: JsonSchema = { type: 'object', properties: { partialSuccess: MAP } }

const PROTOBUF = 'application/x-protobuf'

export const otlpLogs: Receiver = {
  name: 'otlp',
  path: 'otlp/v1/logs',
  summary: 'Receive logs of OpenTelemetry (OTLP over HTTP)',
  decode({ body, headers }) {
    if (isOf(PROTOBUF, headers)) return recordsOf(parseLogsRequest(body))
    if (isOf('application/json', headers)) return recordsOf(parseBounded(body))
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Content-Type: expected ${PROTOBUF} or application/json`,
    )
  },
  /** In the encoding of the request. */
  respond({ errors }, { headers }) {
    const errorMessage = errors[0]?.message
    if (isOf(PROTOBUF, headers))
      return { status: 200, mediaType: PROTOBUF, bytes: logsResponse(errors.length, errorMessage) }
    // A 64-bit integer is a text in the JSON of protobuf.
    const partialSuccess = { rejectedLogRecords: String(errors.length), errorMessage }
    return { status: 200, body: errors.length === 0 ? {} : { partialSuccess } }
  },
  fail: (message, headers) =>
    isOf(PROTOBUF, headers) ? { mediaType: PROTOBUF, bytes: statusOf(message) } : undefined,
  schema: PARTIAL,
  example: {
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        scopeLogs: [
          {
            logRecords: [
              {
                timeUnixNano: '1795834800123000000',
                severityNumber: 17,
                severityText: 'ERROR',
                body: { stringValue: 'Payment 4711 failed' },
              },
            ],
          },
        ],
      },
    ],
  },
}

const isOf = (mediaType: string, { 'content-type': given = '' }: SenderRequest['headers']) =>
  given.split(';', 1)[0]?.trim().toLowerCase() === mediaType

/** @param request ExportLogsServiceRequest in the JSON of OTLP */
function recordsOf(request: unknown): Received[] {
  const { resourceLogs } = requireFields(request, 'The request body')
  return listOf(resourceLogs).flatMap((each) => {
    const { resource, scopeLogs } = fieldsOf(each)
    const attributes = attributesOf(fieldsOf(resource).attributes)
    return listOf(scopeLogs).flatMap((scoped) => {
      const { scope, logRecords } = fieldsOf(scoped)
      const name = textOf(fieldsOf(scope).name)
      return listOf(logRecords).map((record) => recordOf(record, attributes, name))
    })
  })
}

function recordOf(record: unknown, resource: Fields, scope: string | undefined): Received {
  if (!isFields(record)) return { refused: 'The log record is not a JSON object' }
  const { timeUnixNano, observedTimeUnixNano, severityNumber, severityText, traceId, spanId } =
    record
  const attributes = attributesOf(record.attributes)
  const body = plainOf(record.body)
  const said =
    typeof body === 'string' ? textOf(body) : body == null ? undefined : JSON.stringify(body)
  const name = textOf(record.eventName) ?? textOf(attributes['event.name'])
  const heading = name ?? said ?? exceptionOf(attributes)
  if (heading === undefined)
    return { refused: 'The log record has neither eventName, body nor exception' }
  const word = textOf(severityText)
  return {
    event: {
      ...(name !== undefined && { message: said }),
      ...titled(heading),
      severity: severityOfNumber(Number(severityNumber)) ?? severityOf(word, SEVERITIES),
      source: { ref: textOf(resource['service.name']), type: 'service' },
      properties: present({
        ...{ template: withoutNumbers(heading), eventName: name, severityText: word },
        ...{ scope, traceId: textOf(traceId), spanId: textOf(spanId) },
        attributes,
        resource,
      }),
      createdAt: timeOf(timeUnixNano) ?? timeOf(observedTimeUnixNano),
      fingerprintFields: ['template'],
    },
  }
}

/** Loggers may hand over an exception and nothing else. */
const exceptionOf = (attributes: Fields): string | undefined =>
  textOf(
    [attributes['exception.type'], attributes['exception.message']]
      .flatMap((part) => textOf(part) ?? [])
      .join(': '),
  )

/** Nanoseconds, as a text or a number; 0 is unknown. */
function timeOf(nanoseconds: unknown): string | undefined {
  const text = String(nanoseconds ?? 0)
  return Number(text) === 0 ? undefined : text
}

const attributesOf = (attributes: unknown): Fields =>
  Object.fromEntries(
    listOf(attributes).map((each) => {
      const { key, value } = fieldsOf(each)
      return [String(key), plainOf(value)]
    }),
  )

/** An AnyValue. Integers are numbers or texts, and doubles may be null or `NaN`. */
function plainOf(value: unknown): unknown {
  const any = fieldsOf(value)
  const [kind = ''] = Object.keys(any)
  const held = any[kind]
  switch (kind) {
    case 'intValue':
      return typeof held === 'string' && /^-?\d+$/.test(held) ? numberOf(held) : held
    case 'arrayValue':
      return listOf(fieldsOf(held).values).map(plainOf)
    case 'kvlistValue':
      return attributesOf(fieldsOf(held).values)
    default:
      return held ?? null
  }
}
