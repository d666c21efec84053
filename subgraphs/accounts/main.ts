import { FIRST_ADMIN_VARIABLES, firstAdminFrom } from '../../platform/access/first-admin.ts'
import { SESSION_VARIABLES, sessionLifetimes } from '../../platform/access/session-lifetimes.ts'
import { runSubgraph } from '../../platform/subgraph/standalone.ts'
import { startAccounts } from './index.ts'

const reads = [
  ...FIRST_ADMIN_VARIABLES,
  'AUDIT_RETENTION_DAYS',
  'API_TOKEN_DAYS',
  ...SESSION_VARIABLES,
] as const

runSubgraph({ name: 'accounts', port: 4003, reads }, (shared, config) =>
  startAccounts(shared, {
    firstAdmin: firstAdminFrom(config),
    auditRetentionDays: config.AUDIT_RETENTION_DAYS,
    apiTokenDays: config.API_TOKEN_DAYS,
    sessions: sessionLifetimes(config),
  }),
)
