import { migrations } from './migrations/index.ts'
import { entities } from './tables/entities.ts'

/** The tables of this subgraph. */
export const STORAGE = { schema: 'events', entities, migrations } as const
