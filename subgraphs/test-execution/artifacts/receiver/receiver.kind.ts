import { badInput } from '../../../../formats/errors.ts'
import { BUILT_IN_RECEIVERS } from '../../../../formats/received/built-in.ts'
import { isFields } from '../../../../formats/received/fields.ts'
import { compileMapping, type ReceiverMapping } from '../../../../formats/received/mapping.ts'
import type { ArtifactKind } from '../artifact.kind.ts'

const TEXT = { type: 'string', minLength: 1, maxLength: 1_000 }
/** Texts of which the first that yields something counts; files may have one of them in place of the list. */
const LOOKUP = { type: 'array', minItems: 1, maxItems: 10, items: TEXT }
const TEXTS = { type: 'array', maxItems: 20, items: TEXT }
const SECRET = '***'
const MIN_SECRET = 8

const wordsFor = (ours: readonly string[]) => ({
  type: 'object',
  maxProperties: 100,
  additionalProperties: { type: 'string', enum: ours },
})

const LOOKUPS = [
  'title',
  'message',
  'severity',
  'status',
  'resolved',
  'resolvedAt',
  'createdAt',
  'eventClass',
  'occurrenceId',
] as const

const LISTED: ReadonlySet<string> = new Set([
  ...LOOKUPS,
  'tags',
  'fingerprint',
  'ref',
  'type',
  'name',
])

/** A mapping of JSON that a tool sends, to events. */
export const RECEIVER: ArtifactKind = {
  name: 'receiver',
  typeName: 'Receiver',
  idSpace: 'receiver',
  references: {},
  changeNeeds: 'channels:manage',
  hidden: { secret: () => SECRET },
  properties: {
    items: TEXT,
    ...Object.fromEntries(LOOKUPS.map((name) => [name, LOOKUP])),
    severityWords: wordsFor(['CRITICAL', 'ERROR', 'WARN', 'INFO']),
    statusWords: wordsFor(['OPEN', 'CLOSED', 'ACKNOWLEDGED', 'OK']),
    source: {
      type: 'object',
      additionalProperties: false,
      properties: { ref: LOOKUP, type: LOOKUP, name: LOOKUP },
    },
    properties: { type: 'object', maxProperties: 128, additionalProperties: TEXT },
    tags: TEXTS,
    fingerprint: TEXTS,
    ignoreNumbers: { type: 'boolean', default: false },
    secret: { type: 'string', maxLength: 1_000 },
    proof: {
      type: 'object',
      additionalProperties: false,
      properties: {
        header: { type: 'string', pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" },
        query: { type: 'string', minLength: 1, maxLength: 100 },
        prefix: { type: 'string', maxLength: 100 },
        hmac: { type: 'string', enum: ['HEX', 'BASE64'] },
      },
    },
    response: {
      type: 'object',
      additionalProperties: false,
      properties: { status: { type: 'integer', minimum: 200, maximum: 299 }, body: {} },
    },
  },
  required: ['title'],
  async read(given) {
    const { source, proof, response, ...others } = given
    const parts = { source: listed(present(source)), proof: present(proof) }
    return { ...listed(others), ...parts, response: present(response) }
  },
  check({ secret, proof, response, ...mapping }) {
    compileMapping(mapping as unknown as ReceiverMapping) // as the schema has it
    if (secret !== undefined && secret !== SECRET && String(secret).length < MIN_SECRET)
      throw badInput(`secret: expected at least ${MIN_SECRET} characters`)
    const { header, query, hmac } = (proof ?? {}) as Record<string, string | undefined>
    if ((secret === undefined) !== (proof === undefined))
      throw badInput(
        secret === undefined
          ? 'secret: it is missing, and proof says where its sender has it'
          : 'proof: it is missing; say in which header or query parameter the secret comes',
      )
    if (proof && (header === undefined) === (query === undefined))
      throw badInput('proof: expected either header or query')
    if (hmac !== undefined && header === undefined)
      throw badInput('proof.hmac: a signature comes in a header')
    const { status = 202, body } = (response ?? {}) as { status?: number; body?: unknown }
    if (body !== undefined && (status === 204 || status === 205))
      throw badInput(`response.body: a response with status ${status} has none`)
  },
  // POST /receiver/preview is no receiver.
  reserved: [...BUILT_IN_RECEIVERS, 'preview'],
}

/** Without members that are null, as they are read. */
const present = (value: unknown): unknown =>
  isFields(value)
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
    : value

/** With lists in place of texts, where lists are expected. */
const listed = <Value>(value: Value): Value =>
  isFields(value)
    ? (Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          typeof member === 'string' && LISTED.has(name) ? [member] : member,
        ]),
      ) as Value) // the same members
    : value
