/** GraphQL fields of a stored event. */
export const EVENT = `id fingerprint fingerprintFields title message severity status
  source { ref type name properties } sender { ref type name properties }
  properties tags eventClass firstSeenAt lastSeenAt lastUpdatedAt timesSeen`

export interface EventData extends Record<string, unknown> {
  source: object | null
  sender: object | null
  firstSeenAt: string
  lastSeenAt: string
  lastUpdatedAt: string
}

/** The body of a stored event: times are epoch milliseconds; related is what it is about and who reported it. */
export const eventBody = (event: EventData): Record<string, unknown> => ({
  ...event,
  relatedSources: [event.source, event.sender].filter((source) => source !== null),
  firstSeenAt: Date.parse(event.firstSeenAt),
  lastSeenAt: Date.parse(event.lastSeenAt),
  lastUpdatedAt: Date.parse(event.lastUpdatedAt),
})
