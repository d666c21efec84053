/** What an operator can choose. Read from the environment by the process that starts this subgraph. */
export interface EventsSettings {
  /** Items must also have `source` and `fingerprintFields`. EVENTS_STRICT */
  strict: boolean
  /** Days after which raw events and their counts are dropped. RAW_EVENTS_RETENTION_DAYS */
  retentionDays: number
  /** Days without a change after which an event is deleted. EVENTS_RETENTION_DAYS */
  eventRetentionDays: number
  /** Days after which changes of an event's status are deleted. STATUS_CHANGES_RETENTION_DAYS */
  statusRetentionDays: number
  /** Events, and bytes of them, that may wait for a writer. EVENTS_QUEUE_EVENTS, EVENTS_QUEUE_BYTES */
  queueEvents: number
  queueBytes: number
  /** Stored events that search has not indexed, at most. EVENTS_SEARCH_LAG */
  searchLag: number
  /** Milliseconds that one statement of a list or a histogram may take. EVENTS_QUERY_TIMEOUT_MS */
  queryTimeoutMs: number
  /** Bytes of events after which a page of a list ends. PAGE_BYTES */
  pageBytes: number
  /** Events of one import. IMPORT_EVENTS */
  importEvents: number
}

export const DEFAULT_SETTINGS: EventsSettings = {
  strict: false,
  retentionDays: 30,
  eventRetentionDays: 365,
  statusRetentionDays: 365,
  queueEvents: 50_000,
  queueBytes: 128 * 2 ** 20,
  searchLag: 1_000_000,
  queryTimeoutMs: 10_000,
  pageBytes: 2 * 2 ** 20,
  importEvents: 1_000,
}
