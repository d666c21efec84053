import Sequencer from '@jest/test-sequencer'

/** These take half a minute or more. Those that mostly wait stand between those that compute, so that no core is idle. */
const LONGEST = [
  ['e2e in-process', 'killed/executions'],
  ['conformance', 'conformance/test-execution'],
  ['conformance', 'federation/differential'],
  ['integration', 'gateway/lost-clients'],
  ['conformance', 'federation/one-schema'],
  ['integration', 'events/killed-together'],
  ['e2e in-process', 'killed/never-stuck'],
  // Files of `npm run test:system`:
  ['readme', 'readme/readme'],
  ['system', 'system/backup'],
  ['system', 'web/pages'],
  ['system', 'system/drills'],
  ['system', 'web/explorer'],
  ['compose', 'e2e-compose/compose'],
  ['system', 'web/provider'],
  ['system', 'web/editors'],
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
