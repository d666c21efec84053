import { AccountEntity, ApiTokenEntity, SessionEntity } from './account.entity.ts'
import { Migration001Accounts } from './migrations/migration-001-accounts.ts'
import { Migration002BrowserSessions } from './migrations/migration-002-browser-sessions.ts'
import { Migration003SessionGrants } from './migrations/migration-003-session-grants.ts'
import { Migration004SessionClaims } from './migrations/migration-004-session-claims.ts'
import { Migration005SessionSubjects } from './migrations/migration-005-session-subjects.ts'
import { Migration006SavedViews } from './migrations/migration-006-saved-views.ts'
import { BrowserSessionEntity } from './sessions/browser-session.entity.ts'
import { SavedViewEntity } from './views/saved-view.entity.ts'

/** The tables of this subgraph. */
export const STORAGE = {
  schema: 'accounts',
  entities: [AccountEntity, ApiTokenEntity, SessionEntity, BrowserSessionEntity, SavedViewEntity],
  migrations: [
    { name: 'migration-001-accounts', class: Migration001Accounts },
    { name: 'migration-002-browser-sessions', class: Migration002BrowserSessions },
    { name: 'migration-003-session-grants', class: Migration003SessionGrants },
    { name: 'migration-004-session-claims', class: Migration004SessionClaims },
    { name: 'migration-005-session-subjects', class: Migration005SessionSubjects },
    { name: 'migration-006-saved-views', class: Migration006SavedViews },
  ],
} as const
