import { FIRST_ADMIN_VARIABLES, firstAdminFrom } from '../platform/access/first-admin.ts'
import { SESSION_VARIABLES, sessionLifetimes } from '../platform/access/session-lifetimes.ts'
import {
  runProcess,
  SERVER_EXIT_CODES,
  type ServerProgram,
} from '../platform/process/run-process.ts'
import { readEnv } from '../platform/settings/env.ts'
import {
  DATABASE_VARIABLES,
  databaseFaults,
  SERVER_VARIABLES,
  serverFaults,
  startStandAlone,
} from '../platform/subgraph/standalone.ts'
import { startAccounts } from './index.ts'

const program = {
  service: 'assay-accounts',
  usage: ['npm run start:accounts', 'node dist/accounts.js'],
  does: 'Runs the accounts subgraph alone. Only a gateway with the same INTERNAL_SECRET may call it.',
  reads: [
    ...DATABASE_VARIABLES,
    ...SERVER_VARIABLES,
    ...FIRST_ADMIN_VARIABLES,
    'AUDIT_RETENTION_DAYS',
    'API_TOKEN_DAYS',
    ...SESSION_VARIABLES,
  ],
  exitCodes: SERVER_EXIT_CODES,
} as const satisfies ServerProgram

/** The accounts subgraph as a process of its own, on port 4003 unless PORT says otherwise. */
runProcess(program, async (env) => {
  const config = readEnv({ PORT: '4003', ...env }, program.reads, (given) => [
    ...databaseFaults(given),
    ...serverFaults(given),
  ])
  return startStandAlone('accounts', config, (shared) =>
    startAccounts(shared, {
      firstAdmin: firstAdminFrom(config),
      auditRetentionDays: config.AUDIT_RETENTION_DAYS,
      apiTokenDays: config.API_TOKEN_DAYS,
      sessions: sessionLifetimes(config),
    }),
  )
})
