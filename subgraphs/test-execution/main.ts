import { withReleasers } from '../../platform/process/releasers.ts'
import { missing } from '../../platform/settings/env.ts'
import {
  OUTBOUND_VARIABLES,
  outboundFrom,
  runSubgraph,
} from '../../platform/subgraph/standalone.ts'
import { startEvaluation, startTestExecution } from './index.ts'

const reads = [
  ...OUTBOUND_VARIABLES,
  'SECRETS_KEY',
  'SECRETS_KEY_PREVIOUS',
  'EXAMPLES',
  'COMMAND_STEPS',
  'EVALUATION_MS',
  'EXECUTIONS_QUEUE',
  'SCHEDULES',
  'SCHEDULES_SHARE',
  'PAGE_BYTES',
  'IMPORT_SCENARIOS',
  'IMPORT_STEPS',
  'ATTACHMENT_BYTES',
  'ATTACHMENTS_BYTES',
  'OPEN_CALLBACKS_PER_MINUTE',
] as const

const sealing = (given: object): string[] =>
  missing(given, ['SECRETS_KEY'], 'to seal host credentials')

runSubgraph({ name: 'test-execution', port: 4001, reads, faults: sealing }, (shared, config) =>
  withReleasers(async (releasers) => {
    const evaluation = startEvaluation(config.EVALUATION_MS)
    releasers.defer(() => evaluation.stop())
    const { stop, ...subgraph } = await startTestExecution({
      ...shared,
      evaluation,
      secretsKey: config.SECRETS_KEY ?? '',
      previousSecretsKey: config.SECRETS_KEY_PREVIOUS,
      outbound: outboundFrom(config, config.HOST),
      examples: config.EXAMPLES,
      executionsQueue: config.EXECUTIONS_QUEUE,
      schedules: {
        isOn: config.SCHEDULES === 'on',
        share: config.SCHEDULES_SHARE,
        needsSignIn: (config.AUTH_MODE ?? 'none') !== 'none',
      },
      pageBytes: config.PAGE_BYTES,
      openCallbacksPerMinute: config.OPEN_CALLBACKS_PER_MINUTE,
      imports: { scenarios: config.IMPORT_SCENARIOS, steps: config.IMPORT_STEPS },
      attachmentLimits: {
        bytesOfOne: config.ATTACHMENT_BYTES,
        bytesOfAll: config.ATTACHMENTS_BYTES,
      },
      // Only the gateway knows the sign-in, so a process by itself starts programs only where that is set.
      commandSteps: config.COMMAND_STEPS === 'on',
    })
    releasers.defer(stop)
    return { ...subgraph, stop: () => releasers.release() }
  }),
)
