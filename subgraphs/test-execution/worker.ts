import { missing, readEnv } from '../shared/env.ts'
import { createLogger } from '../shared/logger.ts'
import { withReleasers } from '../shared/releasers.ts'
import { runProcess } from '../shared/run-process.ts'
import {
  DATABASE_VARIABLES,
  databaseFaults,
  OUTBOUND_VARIABLES,
  outboundFrom,
  startShared,
} from '../shared/standalone.ts'
import { RETENTION_VARIABLES } from '../shared/variables.ts'
import { startEvaluation, startWorker } from './index.ts'

/** A worker as a process of its own: it takes executions from the queue and runs them. */
runProcess((env) =>
  withReleasers(async (releasers) => {
    const config = readEnv(
      env,
      [
        ...DATABASE_VARIABLES,
        ...OUTBOUND_VARIABLES,
        'SECRETS_KEY',
        'SECRETS_KEY_PREVIOUS',
        'CALLBACK_SIGNING_SECRET',
        'SANDBOX',
        'SANDBOX_READY',
        'COMMAND_STEPS',
        'COMMAND_PROCESSES',
        'COMMAND_MEMORY_MIB',
        ...RETENTION_VARIABLES,
        'WORKER_SLOTS',
        'EVALUATION_MS',
      ],
      (given) => [
        ...databaseFaults(given),
        ...missing(given, ['SECRETS_KEY'], 'to open host credentials'),
        ...missing(given, ['CALLBACK_SIGNING_SECRET'], 'to sign callbacks'),
      ],
    )
    const log = createLogger(config.LOG_LEVEL, 'worker')
    const shared = await startShared(config, log, releasers)
    const evaluation = startEvaluation(config.EVALUATION_MS)
    releasers.defer(() => evaluation.stop())
    const worker = await startWorker({
      ...shared,
      evaluation,
      secretsKey: config.SECRETS_KEY ?? '',
      previousSecretsKey: config.SECRETS_KEY_PREVIOUS,
      // A worker listens nowhere; it belongs to a product for one machine if its database does.
      outbound: outboundFrom(config, URL.parse(config.DATABASE_URL ?? '')?.hostname ?? ''),
      callbacks: { signingSecret: config.CALLBACK_SIGNING_SECRET ?? '' },
      sandboxMode: config.SANDBOX ?? 'strict',
      readySandboxes: config.SANDBOX_READY,
      programLimits: {
        processes: config.COMMAND_PROCESSES,
        memoryMebibytes: config.COMMAND_MEMORY_MIB,
      },
      // As in the stand-alone subgraph.
      commandSteps: config.COMMAND_STEPS === 'on',
      slots: config.WORKER_SLOTS,
      retention: config,
    })
    releasers.defer(() => worker.stop())
    releasers.defer(() => shared.jobs.stop())
    log.info({ slots: config.WORKER_SLOTS }, 'The worker is ready')
    return { stop: () => releasers.release() }
  }),
)
