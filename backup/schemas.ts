import { STORAGE as ACCOUNTS } from '../subgraphs/accounts/index.ts'
import { STORAGE as EVENTS } from '../subgraphs/events/index.ts'
import { STORAGE as TEST_EXECUTION } from '../subgraphs/test-execution/index.ts'

/** The tables that migrations of ours make. */
export const STORAGES = [ACCOUNTS, EVENTS, TEST_EXECUTION] as const

/** The schema of the audit log, which the migrations of each subgraph make. */
const AUDIT = 'audit'

/** The schema of pg-boss. */
export const JOBS = 'pgboss'

/** All schemas of a database in which Assay keeps something. */
export const SCHEMAS: readonly string[] = [...STORAGES.map(({ schema }) => schema), AUDIT, JOBS]
