import { parse } from 'yaml'
import { yamlOf } from '../editor/yaml-text.ts'
import type {
  CreateReceiverInput,
  ReceiverDetailQuery,
  RevisionFragment,
} from '../graph/generated.ts'

export type Receiver = NonNullable<ReceiverDetailQuery['artifact']>

export interface ReceiverDraft {
  name: string
  description: string
  /** All other attributes, as YAML. */
  mapping: string
}

export const NEW_RECEIVER: ReceiverDraft = {
  ...{ name: '', description: '' },
  mapping: `# items: $.alerts
title: "{{@.job}} on {{@.host}}"
status: "@.state"
statusWords: { failed: OPEN, done: OK }
source: { ref: "@.host", type: host }
fingerprint: "@.job"
`,
}

/** Path of the address; the base is that of this page unless a proxy has another. */
export const addressOf = (name: string): string => `/v1/receivers/${encodeURIComponent(name)}`

/** Without what is not set, and one text in place of a list of one. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length === 1 && typeof value[0] === 'string' ? value[0] : value
  if (typeof value !== 'object' || value === null) return value
  const set = Object.entries(value).filter(
    ([name, member]) => member !== null && member !== false && name !== '__typename',
  )
  return Object.fromEntries(set.map(([name, member]) => [name, shortened(member)]))
}

const draftWith = (
  { name, description }: Pick<Receiver, 'name' | 'description'>,
  attributes: object,
): ReceiverDraft => ({
  ...{ name, description: description ?? '' },
  mapping: yamlOf(shortened(attributes)),
})

export function draftOfReceiver(receiver: Receiver): ReceiverDraft {
  const { id, name, description, revision, updated, updatedBy, revisions, ...mapping } = receiver
  return draftWith({ name, description }, mapping)
}

export const receiverOfEarlier = (_: Receiver, earlier: RevisionFragment): ReceiverDraft =>
  draftWith(earlier, earlier.attributes)

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Attributes of the mapping. @throws Error that names where they are written */
export function mappingOf({ mapping }: Pick<ReceiverDraft, 'mapping'>): Record<string, unknown> {
  let read: unknown
  try {
    read = parse(mapping)
  } catch (error) {
    throw new Error(`mapping: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (isFields(read)) return read
  throw new Error('mapping: expected attributes such as title')
}

export const inputOfReceiver = (draft: ReceiverDraft) =>
  ({
    ...mappingOf(draft),
    ...{ name: draft.name, description: draft.description || null },
  }) as CreateReceiverInput // the server checks what people wrote
