import { missing, readEnv } from '../shared/env.ts'
import { withReleasers } from '../shared/releasers.ts'
import { runProcess } from '../shared/run-process.ts'
import {
  DATABASE_VARIABLES,
  databaseFaults,
  OUTBOUND_VARIABLES,
  outboundFrom,
  SERVER_VARIABLES,
  serverFaults,
  startStandAlone,
} from '../shared/standalone.ts'
import { startEvaluation, startTestExecution } from './index.ts'

/** The test-execution subgraph as a process of its own, on port 4001 unless PORT says otherwise. */
runProcess(async (env) => {
  const config = readEnv(
    { PORT: '4001', ...env },
    [
      ...DATABASE_VARIABLES,
      ...SERVER_VARIABLES,
      ...OUTBOUND_VARIABLES,
      'SECRETS_KEY',
      'EXAMPLES',
      'EVALUATION_MS',
    ],
    (given) => [
      ...databaseFaults(given),
      ...missing(given, ['SECRETS_KEY'], 'to seal host credentials'),
      ...serverFaults(given),
    ],
  )
  return startStandAlone('test-execution', config, (shared) =>
    withReleasers(async (releasers) => {
      const evaluation = startEvaluation(config.EVALUATION_MS)
      releasers.defer(() => evaluation.stop())
      const { schema, stop } = await startTestExecution({
        ...shared,
        evaluation,
        secretsKey: config.SECRETS_KEY ?? '',
        outbound: outboundFrom(config, config.HOST),
        examples: config.EXAMPLES,
      })
      releasers.defer(stop)
      return { schema, stop: () => releasers.release() }
    }),
  )
})
