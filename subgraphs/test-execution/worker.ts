import { serversOf } from '../../platform/database/database-servers.ts'
import { createLogger } from '../../platform/process/logger.ts'
import { withReleasers } from '../../platform/process/releasers.ts'
import {
  runProcess,
  SERVER_EXIT_CODES,
  type ServerProgram,
} from '../../platform/process/run-process.ts'
import { WORKER_VARIABLES, workerSettings } from '../../platform/process/worker-settings.ts'
import { missing, readEnv } from '../../platform/settings/env.ts'
import { secretPaths } from '../../platform/settings/secret-paths.ts'
import {
  DATABASE_VARIABLES,
  databaseFaults,
  OUTBOUND_VARIABLES,
  outboundFrom,
  startShared,
} from '../../platform/subgraph/standalone.ts'
import { startEvaluation, startWorker } from './index.ts'

const program = {
  service: 'assay-worker',
  usage: ['npm run start:worker', 'node dist/worker.js'],
  does: 'Runs a worker: it takes executions from the queue of the database and runs them. Start any number.',
  reads: [
    ...DATABASE_VARIABLES,
    ...OUTBOUND_VARIABLES,
    'SECRETS_KEY',
    'SECRETS_KEY_PREVIOUS',
    'CALLBACK_SIGNING_SECRET',
    ...WORKER_VARIABLES,
  ],
  exitCodes: SERVER_EXIT_CODES,
} as const satisfies ServerProgram

/** A worker as a process of its own: it takes executions from the queue and runs them. */
runProcess(program, (env) =>
  withReleasers(async (releasers) => {
    const config = readEnv(env, program.reads, (given) => [
      ...databaseFaults(given),
      ...missing(given, ['SECRETS_KEY'], 'to open host credentials'),
      ...missing(given, ['CALLBACK_SIGNING_SECRET'], 'to sign callbacks'),
    ])
    const log = createLogger(config.LOG_LEVEL, 'worker')
    const shared = await startShared('worker', config, log, releasers)
    const evaluation = startEvaluation(config.EVALUATION_MS)
    releasers.defer(() => evaluation.stop())
    const worker = await startWorker({
      ...shared,
      evaluation,
      secretsKey: config.SECRETS_KEY ?? '',
      previousSecretsKey: config.SECRETS_KEY_PREVIOUS,
      // A worker listens nowhere; it belongs to a product for one machine if its database does.
      outbound: outboundFrom(
        config,
        URL.parse(serversOf(config.DATABASE_URL ?? '')[0])?.hostname ?? '',
      ),
      callbacks: { signingSecret: config.CALLBACK_SIGNING_SECRET ?? '' },
      sandboxMode: config.SANDBOX ?? 'strict',
      // As in the stand-alone subgraph.
      commandSteps: config.COMMAND_STEPS === 'on',
      ...workerSettings(config),
      secretPaths: secretPaths(env, null),
    })
    releasers.defer(() => worker.stop())
    releasers.defer((grace) => shared.jobs.stop(grace))
    log.info({ slots: config.WORKER_SLOTS }, 'The worker is ready')
    return { stop: () => releasers.release() }
  }),
)
