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
  tryOf: (test: Test, state: 'FAILED' | 'ERROR') => Try,
): Test[] {
  const triesOf = (test: Test): Try[] => [
    ...test.tries,
    ...(test.state === 'FAILED' || test.state === 'ERROR' ? [tryOf(test, test.state)] : []),
  ]
  const byName = Map.groupBy(tests, ({ name }) => name)
  return [...byName.values()].flatMap((same) => {
    const isTimed = same.every(({ started }) => started !== null)
    const inOrder = isTimed
      ? same.toSorted((a, b) => String(a.started).localeCompare(String(b.started)))
      : same
    // A report of reruns may have all others as skipped.
    const last = inOrder.findLast(({ state }) => state !== 'SKIPPED') ?? inOrder.at(-1)
    if (!last) return []
    const earlier = inOrder.slice(0, inOrder.indexOf(last))
    const logs = [...earlier.map(({ log }, at) => log && `Try ${at + 1}:\n${log}`), last.log]
    return [
      {
        ...last,
        log: logs.filter(Boolean).join('\n'),
        tries: [...earlier.flatMap(triesOf), ...last.tries],
      },
    ]
  })
}
