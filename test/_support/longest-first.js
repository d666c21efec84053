import Sequencer from '@jest/test-sequencer'

/** These take a minute or more, which their size does not tell. Whichever begins last keeps one core waiting for it. */
const LONG =
  /(conformance\/(test-execution|event-ingestion)|events\/killed-together|e2e\/(killed|serving|stopped))\.test\.ts$/

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests)
    const isLong = ({ path }) => LONG.test(path)
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))]
  }
}
