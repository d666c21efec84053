import { withMilliseconds } from '../answers.ts'

/** GraphQL fields of a stored event. */
export const EVENT = `id fingerprint fingerprintFields title message severity status
  source { ref type name properties } sender { ref type name properties }
  properties tags eventClass firstSeenAt lastSeenAt lastUpdatedAt timesSeen`

export interface EventData {
  source: object | null
  sender: object | null
}

const withEventTimes = withMilliseconds('firstSeenAt', 'lastSeenAt', 'lastUpdatedAt')

/** The body of a stored event; related is what it is about and who reported it. */
export const eventBody = (event: EventData): object => ({
  ...withEventTimes(present(event)),
  relatedSources: [event.source, event.sender].filter((source) => source !== null).map(present),
})

/** GraphQL fields of an occurrence. */
export const RAW_EVENT = `id event { id fingerprintFields } title message severity status
  source { ref type name properties } sender { ref type name properties }
  properties tags eventClass occurredAt receivedAt`

export interface RawEventData {
  event: { id: string; fingerprintFields: string[] }
  occurredAt: string
}

const withReceipt = withMilliseconds('receivedAt')

/** The body of an occurrence: the fields that a client sends, so that it can be posted again, and what was assigned. */
export const rawEventBody = ({ event, occurredAt, ...raw }: RawEventData) => ({
  ...withReceipt(present(raw)),
  eventId: event.id,
  fingerprintFields: event.fingerprintFields,
  createdAt: Date.parse(occurredAt),
})

/** Readers test whether a key is there: what was not sent is left out, also of its sources. */
const present = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, SOURCES.has(name) ? present(value) : value]),
  )

const SOURCES: ReadonlySet<string> = new Set(['source', 'sender'])

/** Follows from the fingerprint of the event that the documents show as an example. */
export const EXAMPLE_ID = '0ee556b5-d05f-8aee-b57d-8e9f8a465468'

/** GraphQL fields of a change of status. */
export const STATUS_CHANGE = 'at changedBy fromStatus toStatus fromSeverity toSeverity comment'

const withTime = withMilliseconds('at')

/** The body of a change of status. */
export const statusChangeBody = (change: object): object => withTime(present(change))
