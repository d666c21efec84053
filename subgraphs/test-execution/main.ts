import { withReleasers } from '../platform/process/releasers.ts'
import {
  runProcess,
  SERVER_EXIT_CODES,
  type ServerProgram,
} from '../platform/process/run-process.ts'
import { missing, readEnv } from '../platform/settings/env.ts'
import {
  DATABASE_VARIABLES,
  databaseFaults,
  OUTBOUND_VARIABLES,
  outboundFrom,
  SERVER_VARIABLES,
  serverFaults,
  startStandAlone,
} from '../platform/subgraph/standalone.ts'
import { startEvaluation, startTestExecution } from './index.ts'

const program = {
  service: 'assay-test-execution',
  usage: ['npm run start:test-execution', 'node dist/test-execution.js'],
  does: 'Runs the test-execution subgraph alone. Only a gateway with the same INTERNAL_SECRET may call it.',
  reads: [
    ...DATABASE_VARIABLES,
    ...SERVER_VARIABLES,
    ...OUTBOUND_VARIABLES,
    'SECRETS_KEY',
    'SECRETS_KEY_PREVIOUS',
    'EXAMPLES',
    'COMMAND_STEPS',
    'EVALUATION_MS',
    'EXECUTIONS_QUEUE',
    'PAGE_BYTES',
    'IMPORT_SCENARIOS',
    'IMPORT_STEPS',
    'ATTACHMENT_BYTES',
    'ATTACHMENTS_BYTES',
  ],
  exitCodes: SERVER_EXIT_CODES,
} as const satisfies ServerProgram

/** The test-execution subgraph as a process of its own, on port 4001 unless PORT says otherwise. */
runProcess(program, async (env) => {
  const config = readEnv({ PORT: '4001', ...env }, program.reads, (given) => [
    ...databaseFaults(given),
    ...missing(given, ['SECRETS_KEY'], 'to seal host credentials'),
    ...serverFaults(given),
  ])
  return startStandAlone('test-execution', config, (shared) =>
    withReleasers(async (releasers) => {
      const evaluation = startEvaluation(config.EVALUATION_MS)
      releasers.defer(() => evaluation.stop())
      const { schema, stop } = await startTestExecution({
        ...shared,
        evaluation,
        secretsKey: config.SECRETS_KEY ?? '',
        previousSecretsKey: config.SECRETS_KEY_PREVIOUS,
        outbound: outboundFrom(config, config.HOST),
        examples: config.EXAMPLES,
        executionsQueue: config.EXECUTIONS_QUEUE,
        pageBytes: config.PAGE_BYTES,
        imports: { scenarios: config.IMPORT_SCENARIOS, steps: config.IMPORT_STEPS },
        attachmentLimits: {
          bytesOfOne: config.ATTACHMENT_BYTES,
          bytesOfAll: config.ATTACHMENTS_BYTES,
        },
        // Who signs in is the gateway's to know, so a process by itself starts programs only where it is set.
        commandSteps: config.COMMAND_STEPS === 'on',
      })
      releasers.defer(stop)
      return { schema, stop: () => releasers.release() }
    }),
  )
})
