import { FIRST_ADMIN_VARIABLES, firstAdminFrom } from '../shared/access/first-admin.ts'
import { readEnv } from '../shared/env.ts'
import { runProcess } from '../shared/run-process.ts'
import {
  DATABASE_VARIABLES,
  databaseFaults,
  SERVER_VARIABLES,
  serverFaults,
  startStandAlone,
} from '../shared/standalone.ts'
import { startAccounts } from './index.ts'

/** The accounts subgraph as a process of its own, on port 4003 unless PORT says otherwise. */
runProcess(async (env) => {
  const config = readEnv(
    { PORT: '4003', ...env },
    [
      ...DATABASE_VARIABLES,
      ...SERVER_VARIABLES,
      ...FIRST_ADMIN_VARIABLES,
      'AUDIT_RETENTION_DAYS',
      'API_TOKEN_DAYS',
    ],
    (given) => [...databaseFaults(given), ...serverFaults(given)],
  )
  return startStandAlone('accounts', config, (shared) =>
    startAccounts(shared, {
      firstAdmin: firstAdminFrom(config),
      auditRetentionDays: config.AUDIT_RETENTION_DAYS,
      apiTokenDays: config.API_TOKEN_DAYS,
    }),
  )
})
