/** What an operator can choose. Read from the environment by the process that starts this subgraph. */
export interface EventsSettings {
  /** Items must also have `source` and `fingerprintFields`. EVENTS_STRICT */
  strict: boolean
  /** Days after which raw events and their counts are dropped. RAW_EVENTS_RETENTION_DAYS */
  retentionDays: number
}

export const DEFAULT_SETTINGS: EventsSettings = { strict: false, retentionDays: 30 }
