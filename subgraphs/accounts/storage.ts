import { AccountEntity, ApiTokenEntity, SessionEntity } from './account.entity.ts'
import { Migration001Accounts } from './migrations/migration-001-accounts.ts'

/** The tables of this subgraph. */
export const STORAGE = {
  schema: 'accounts',
  entities: [AccountEntity, ApiTokenEntity, SessionEntity],
  migrations: [{ name: 'migration-001-accounts', class: Migration001Accounts }],
} as const
