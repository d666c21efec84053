import Sequencer from '@jest/test-sequencer'

/** These take half a minute or more. Those that mostly wait stand between those that compute, so that no core is idle. */
const LONGEST = [
  ['conformance', 'conformance/test-execution'],
  ['e2e in-process', 'killed/executions'],
  ['conformance', 'conformance/event-ingestion'],
  ['integration', 'events/killed-together'],
  ['conformance', 'federation/one-schema'],
  ['integration', 'gateway/lost-clients'],
  ['integration', 'dev/dev'],
  ['conformance', 'federation/differential'],
  ['integration', 'data-dir/start'],
  ['conformance', 'rest/fuzz'],
  ['e2e in-process', 'stopped/stop'],
  // Files of `npm run test:system`:
  ['system', 'web/pages'],
  ['readme', 'readme/readme'],
  ['system', 'web/provider'],
  ['system', 'system/drills'],
  ['system', 'web/explorer'],
  ['system', 'system/backup'],
  ['system', 'system/proxies'],
  ['system', 'web/stories'],
  ['e2e distributed', 'stopped/stop'],
  ['e2e distributed', 'killed/executions'],
  ['system', 'web/sign-in'],
  ['compose', 'e2e-compose/compose'],
  ['system', 'system/database-topologies'],
]

/** Their size does not predict their duration: they start whole products. */
const LONG = /\/test\/(e2e|conformance)\//

/** Whichever begins last keeps one core waiting for it. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

function rankOf({ path, context }) {
  const project = context.config.displayName?.name
  const place = LONGEST.findIndex(
    ([name, file]) => name === project && path.endsWith(`/${file}.test.ts`),
  )
  if (place >= 0) return place
  return LONGEST.length + (LONG.test(path) ? 0 : 1)
}
