import { migrations } from './migrations/index.ts'
import { entities } from './tables/entities.ts'

/** The tables of this subgraph. */
export const STORAGE = {
  schema: 'events',
  entities,
  migrations,
  numbered: [{ sequence: 'raw_event_id_seq', table: 'status_change', column: 'position' }],
} as const
