import type { TestState } from './reported-test.ts'

interface Rerun<Try> {
  name: string
  state: TestState
  started: string | null
  log: string
  tries: Try[]
}

/**
 * Tests of one name as tries of one, in the order of their times, where each has one, or as they stand.
 * @param tryOf a bad test as a try
 */
export function mergeReruns<Try, Test extends Rerun<Try>>(
  tests: readonly Test[],
  tryOf: TryOf<Try, Test>,
): Test[] {
  const byName = Map.groupBy(tests, ({ name }) => name)
  return [...byName.values()].flatMap((same) => {
    const isTimed = same.every(({ started }) => started !== null)
    const inOrder = isTimed
      ? same.toSorted((a, b) => String(a.started).localeCompare(String(b.started)))
      : same
    // A report of reruns may have all others as skipped.
    const last = inOrder.findLastIndex(({ state }) => state !== 'SKIPPED')
    return lastRun(last < 0 ? inOrder : inOrder.slice(0, last + 1), tryOf)
  })
}

type TryOf<Try, Test> = (test: Test, state: 'FAILED' | 'ERROR') => Try

/** The last run of one test, with the bad ones before it as its tries; none where there is no run. */
export function lastRun<Try, Test extends Rerun<Try>>(
  runs: readonly Test[],
  tryOf: TryOf<Try, Test>,
): Test[] {
  const last = runs.at(-1)
  if (!last) return []
  const earlier = runs.slice(0, -1)
  const triesOf = (test: Test): Try[] => [
    ...test.tries,
    ...(test.state === 'FAILED' || test.state === 'ERROR' ? [tryOf(test, test.state)] : []),
  ]
  const logs = [...earlier.map(({ log }, at) => log && `Try ${at + 1}:\n${log}`), last.log]
  return [
    {
      ...last,
      log: logs.filter(Boolean).join('\n'),
      tries: [...earlier.flatMap(triesOf), ...last.tries],
    },
  ]
}
