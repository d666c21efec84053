import { AppError } from '../../formats/errors.ts'
import { parseBounded, utf8Of } from '../../formats/json/json.ts'
import {
  type Fields,
  fieldsOf,
  isFields,
  present,
  textOf,
  titled,
} from '../../formats/received/fields.ts'
import type { Received } from '../../formats/received/received.ts'
import { type Severity, type Status, severityOfNumber } from '../../formats/received/words.ts'
import type { Receiver, SenderRequest } from './receiver.ts'

/** The last word of a type that says how it went, with what it means. */
const OUTCOMES: readonly (readonly [RegExp, Severity, Status])[] = [
  [/^(critical|fatal|alarm|down)$/, 'CRITICAL', 'OPEN'],
  [/^(failed|failure|fail|error|errored|timeout|firing|broken)$/, 'ERROR', 'OPEN'],
  [/^(warning|warn|degraded)$/, 'WARN', 'OPEN'],
  [/^(resolved|recovered|closed|fixed|up)$/, 'INFO', 'CLOSED'],
]

/** Attributes of CloudEvents 1.0; all others are extensions. */
const REQUIRED = ['id', 'source', 'type'] as const

export const cloudevents: Receiver = {
  name: 'cloudevents',
  path: 'cloudevents',
  summary: 'Receive CloudEvents: structured, binary or as a batch',
  decode(request) {
    if (request.headers['ce-specversion'] !== undefined) return [eventOf(binary(request))]
    const type = (request.headers['content-type'] ?? '').toLowerCase()
    if (!/^application\/(?:cloudevents(?:-batch)?\+)?json\s*(?:;|$)/.test(type.trim()))
      throw new AppError(
        'UNSUPPORTED_MEDIA_TYPE',
        'Content-Type: expected application/cloudevents+json, application/cloudevents-batch+json, or ce- headers',
      )
    const body = parseBounded(request.body)
    return Array.isArray(body) ? body.map(eventOf) : [eventOf(body)]
  },
  example: {
    specversion: '1.0',
    id: 'a-4711',
    source: '/backups',
    type: 'com.example.backup.failed',
    subject: 'nightly',
    time: '2026-11-28T02:56:16Z',
    data: { host: 'db1' },
  },
}

/** Attributes are headers, percent-encoded, and the body is the data. */
function binary({ headers, body }: SenderRequest): Fields {
  const type = headers['content-type']
  const attributes = Object.entries(headers).flatMap(([name, value = '']) =>
    name.startsWith('ce-') ? [[name.slice('ce-'.length), decoded(value)]] : [],
  )
  return {
    ...Object.fromEntries(attributes),
    ...present({ datacontenttype: type }),
    ...dataOf(type, body),
  }
}

function dataOf(type: string | undefined, body: Buffer): Fields {
  if (body.length === 0) return {}
  if (type && /[/+]json\s*(?:;|$)/i.test(type)) return { data: parseBounded(body) }
  if (type && /^(text\/|application\/xml)|\+xml/i.test(type)) return { data: utf8Of(body) }
  return { data_base64: body.toString('base64') }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replace(/^"(.*)"$/, '$1'))
  } catch {
    return value
  }
}

function eventOf(given: unknown): Received {
  if (!isFields(given)) return { refused: 'The CloudEvent is not a JSON object' }
  const { specversion, id, source, type, subject, time, data, ...others } = given
  if (specversion !== '1.0') return { refused: 'specversion: expected 1.0' }
  const missing = REQUIRED.find((name) => !textOf(given[name]))
  if (missing) return { refused: `The attribute of the CloudEvent is missing: ${missing}` }
  const title = textOf(subject) ?? String(type)
  const [severity, status] = outcomeOf(String(type), others.severitynumber)
  const said = typeof data === 'string' ? data : textOf(fieldsOf(data).message)
  return {
    event: {
      message: said,
      ...titled(title),
      severity,
      ...(status && { status }),
      source: { ref: String(source), type: 'cloudevents' },
      properties: present({ ...others, id, type, subject, data }),
      createdAt: time,
      fingerprintFields: ['type', 'subject'],
    },
    key: String(id),
  }
}

const meaningOf = (word: string) => OUTCOMES.find(([pattern]) => pattern.test(word.toLowerCase()))

/** `ResourceWriteFailure` ends like `failure`; SignedUp and ScaledDown say nothing of a state. */
const lastOfCamelCase = (part: string): string =>
  /[a-z]([A-Z][a-z]+)$/.exec(part)?.[1]?.replace(/^(Up|Down)$/, '') ?? ''

/** By the number of the extension "severity", and by the rule for types. */
function outcomeOf(type: string, number: unknown): [Severity, Status?] {
  const part = type.match(/[a-z]+/gi)?.findLast((each) => !/^v$/i.test(each)) ?? ''
  const [, severity, status] = meaningOf(part) ?? meaningOf(lastOfCamelCase(part)) ?? []
  const given = severityOfNumber(Number(number))
  const found = given ?? severity ?? 'INFO'
  return status ? [found, status] : [found]
}
