import { inflateSync } from 'node:zlib'
import { AppError } from '../../formats/errors.ts'
import { parseBounded } from '../../formats/json/json.ts'
import {
  type Fields,
  fieldsOf,
  isEqual,
  isFields,
  listOf,
  present,
  requireFields,
  textOf,
  titled,
  withoutNumbers,
} from '../../formats/received/fields.ts'
import type { Received } from '../../formats/received/received.ts'
import { withoutSecrets } from '../../formats/received/without-secrets.ts'
import type { Severity, Status } from '../../formats/received/words.ts'
import type { JsonSchema } from '../documents/json-schema.ts'
import type { Receiver, SenderRequest } from './receiver.ts'

const SEVERITIES: Readonly<Record<string, Severity>> = {
  fatal: 'CRITICAL',
  error: 'ERROR',
  warning: 'WARN',
}

/** States of a monitor; one that runs has none yet. */
const CHECK_INS: Readonly<Record<string, readonly [Severity, Status]>> = {
  ok: ['INFO', 'OK'],
  error: ['ERROR', 'OPEN'],
  timeout: ['ERROR', 'OPEN'],
  missed: ['WARN', 'OPEN'],
}

/** Bytes of `extra` that an event has room for. */
const EXTRA_BYTES = 16_384
const FRAMES = 20

const ID: JsonSchema = { type: 'object', properties: { id: { type: 'string' } } }

export const sentry: Receiver = {
  name: 'sentry',
  path: 'sentry/api/:project/envelope',
  summary: 'Receive errors, messages and check-ins of the SDKs of Sentry',
  secret: {
    held: { setting: 'RECEIVER_SENTRY_KEY' },
    isProof: (request, key) => isEqual(keyOf(request) ?? dsnKeyOf(request.body) ?? '', key),
  },
  decode({ body }) {
    const { header, items } = envelopeOf(body)
    return items.flatMap(({ type, payload }) => {
      if (type === 'event') return [eventOf(parseItem(payload))]
      // Others are measurements, or the text of what is an event besides.
      return type === 'check_in' ? checkInOf(parseItem(payload), header.sent_at) : []
    })
  },
  respond: (_, { body }) => ({ status: 200, body: { id: idOf(body) ?? null } }),
  schema: { ...ID, properties: { id: { type: ['string', 'null'] } } },
}

/** Maximum bytes of an inflated event; Sentry takes no larger ones there. */
const STORED_BYTES = 2 ** 20

/** SDKs of before envelopes, as Debian 12 has them, send errors and messages here and all else in envelopes. */
export const sentryStore: Receiver = {
  ...sentry,
  path: 'sentry/api/:project/store',
  summary: 'Receive errors and messages of older SDKs of Sentry',
  decode: ({ body }) => [eventOf(parseBounded(storedOf(body)))],
  respond: (_, { body }) => ({ status: 200, body: { id: storedIdOf(body) ?? null } }),
}

/** The JSON of an event: as it is, or deflated and in Base64. @throws AppError BAD_USER_INPUT for anything else */
function storedOf(body: Buffer): Buffer {
  if (body.length === 0 || body[0] === 0x7b) return body
  try {
    const deflated = Buffer.from(body.toString('latin1'), 'base64')
    return inflateSync(deflated, { maxOutputLength: STORED_BYTES })
  } catch (cause) {
    throw new AppError(
      'BAD_USER_INPUT',
      `The event is neither JSON nor Base64 of deflated JSON of up to ${STORED_BYTES} bytes`,
      { cause },
    )
  }
}

function storedIdOf(body: Buffer): string | undefined {
  try {
    return textOf(fieldsOf(parseBounded(storedOf(body))).event_id)
  } catch {
    return undefined
  }
}

/** Public key of a DSN: in the query, or in a header. */
const keyOf = ({ query, headers }: Pick<SenderRequest, 'query' | 'headers'>) =>
  query.sentry_key ?? /\bsentry_key=([^,\s]+)/.exec(headers['x-sentry-auth'] ?? '')?.[1]

/** The same key in the header of an envelope: tunnels of browsers pass on the body alone. */
function dsnKeyOf(body: Buffer): string | undefined {
  const end = body.indexOf(NEWLINE)
  try {
    const { dsn } = fieldsOf(parseBounded(end === -1 ? body : body.subarray(0, end)))
    return new URL(String(dsn)).username
  } catch {
    return undefined
  }
}

interface Item {
  type: unknown
  payload: Buffer
}

const NEWLINE = 0x0a

/** A line of JSON, then a line and a payload for each item. A payload ends by its length, or at its line. */
function envelopeOf(body: Buffer): { header: Fields; items: Item[] } {
  let at = 0
  const line = (): Buffer => {
    const end = body.indexOf(NEWLINE, at)
    const from = at
    at = end === -1 ? body.length : end + 1
    return body.subarray(from, end === -1 ? body.length : end)
  }
  const header = requireFields(parseBounded(line()), 'The header of the envelope')
  const items: Item[] = []
  while (at < body.length) {
    const head = line()
    if (head.length === 0) continue
    const { type, length } = requireFields(parseBounded(head), 'The header of an item')
    if (typeof length !== 'number') items.push({ type, payload: line() })
    else {
      if (!(length >= 0 && at + length <= body.length))
        throw new AppError('BAD_USER_INPUT', 'An item of the envelope is shorter than its length')
      items.push({ type, payload: body.subarray(at, at + length) })
      at += length + 1
    }
  }
  return { header, items }
}

function idOf(body: Buffer): string | undefined {
  try {
    return textOf(envelopeOf(body).header.event_id)
  } catch {
    return undefined
  }
}

function parseItem(payload: Buffer): unknown {
  try {
    return parseBounded(payload)
  } catch {
    return undefined
  }
}

function eventOf(given: unknown): Received {
  if (!isFields(given)) return { refused: 'An event of Sentry is not a JSON object' }
  const { level, server_name, release, environment, timestamp, event_id, platform, extra } = given
  const exceptions = listOf(fieldsOf(given.exception).values ?? given.exception).map(fieldsOf)
  const last = exceptions.at(-1)
  const thrown = last && [textOf(last.type), textOf(last.value)].filter(Boolean).join(': ')
  const said = messageOf(given)
  const heading = textOf(thrown) ?? said
  if (!heading) return { refused: 'The event of Sentry has neither exception nor message' }
  const word = textOf(level) ?? 'error'
  const { title } = titled(heading)
  const common = withoutNumbers(textOf(thrown) ?? templateOf(given) ?? heading)
  const identity = listOf(given.fingerprint).map((part) =>
    /^\{\{\s*default\s*\}\}$/.test(String(part)) ? common : String(part),
  )
  const isHost = textOf(server_name) !== undefined
  return {
    event: {
      title,
      message: textOf([title === heading ? '' : heading, framesOf(last)].join('\n').trim()) ?? said,
      severity: Object.hasOwn(SEVERITIES, word) ? SEVERITIES[word] : 'INFO',
      status: 'OPEN',
      source: { ref: textOf(server_name) ?? textOf(release), type: isHost ? 'host' : 'release' },
      properties: present({
        fingerprint: JSON.stringify(identity.length > 0 ? identity : [common]),
        ...{ level: word, release, environment, platform, eventId: event_id },
        ...{ transaction: given.transaction, logger: given.logger },
        traceId: fieldsOf(fieldsOf(given.contexts).trace).trace_id,
        // sentry-cli sends its whole environment.
        ...(extra != null &&
          JSON.stringify(extra).length <= EXTRA_BYTES && { extra: withoutSecrets(extra) }),
      }),
      tags: tagsOf(given.tags),
      createdAt: timestamp,
      fingerprintFields: ['fingerprint'],
    },
    key: textOf(event_id),
  }
}

function messageOf({ message, logentry }: Fields): string | undefined {
  const entry = fieldsOf(isFields(message) ? message : logentry)
  const template = textOf(entry.message)
  return textOf(message) ?? textOf(entry.formatted) ?? (template && filled(template, entry.params))
}

/** `%s`, `%(name)d` and the like; without any of them `{}`, `{0}` and `{name}`. */
const PERCENT = /%%|%(?:\((\w+)\))?[-+#0]*\d*(?:\.\d+)?[a-z]/gi
const BRACES = /\{(\w*)\}/g
/** Characters of a template with parameters, and of each of these: their product bounds the work. */
const TEMPLATE_LENGTH = 4_000
const VALUE_LENGTH = 500

/** A message of an SDK that leaves its parameters for Sentry to fill in. */
function filled(template: string, params: unknown): string {
  const given: readonly unknown[] = Array.isArray(params) ? params : Object.values(fieldsOf(params))
  if (given.length === 0) return template
  const texts = given.map((value) =>
    (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, VALUE_LENGTH),
  )
  const names = Object.keys(Array.isArray(params) ? params : fieldsOf(params))
  const byName = new Map(names.map((name, at) => [name, texts[at]]))
  const places = template.search(PERCENT) === -1 ? BRACES : PERCENT
  let next = 0
  return template.slice(0, TEMPLATE_LENGTH).replace(places, (place, name?: string) => {
    if (place === '%%') return '%'
    return (name ? byName.get(name) : texts[next++]) ?? place
  })
}

/** The message before its parameters: all that have it are one event, as they are in Sentry. */
const templateOf = ({ message, logentry }: Fields): string | undefined =>
  textOf(fieldsOf(isFields(message) ? message : logentry).message)

/** The stack, innermost first, as an engine prints it. */
function framesOf(exception: Fields = {}): string {
  const frames = listOf(fieldsOf(exception.stacktrace).frames).slice(-FRAMES).reverse()
  return frames
    .map(fieldsOf)
    .map(
      ({ function: name, filename, abs_path, lineno }) =>
        `  at ${textOf(name) ?? '?'} (${textOf(filename) ?? textOf(abs_path) ?? '?'}:${lineno ?? '?'})`,
    )
    .join('\n')
    .slice(0, 4_000)
}

/** An object, or a list of pairs. */
const tagsOf = (tags: unknown): string[] =>
  (Array.isArray(tags) ? tags.map(listOf) : Object.entries(fieldsOf(tags)))
    .slice(0, 100)
    .map(([name, value]) => `${name}:${value}`)

function checkInOf(given: unknown, sentAt: unknown): Received[] {
  const { monitor_slug, status, check_in_id, environment, release, duration } = fieldsOf(given)
  const slug = textOf(monitor_slug)
  const word = String(status)
  if (!slug) return [{ refused: 'The check-in has no monitor_slug' }]
  if (word === 'in_progress') return []
  const state = Object.hasOwn(CHECK_INS, word) ? CHECK_INS[word] : undefined
  if (!state) return [{ refused: `The check-in of ${slug} has an unknown status` }]
  const [severity, ours] = state
  return [
    {
      event: {
        title: slug,
        severity,
        status: ours,
        source: { ref: slug, type: 'monitor' },
        properties: present({
          monitor: slug,
          environment,
          release,
          duration,
          checkInId: check_in_id,
        }),
        createdAt: sentAt,
        fingerprintFields: ['monitor', 'environment'],
      },
      key: textOf(check_in_id) && `${check_in_id} ${word}`,
    },
  ]
}
