import type { Scenario, Try } from './scenario.ts'

type Rerun<Step> = Omit<Scenario, 'steps' | 'tries'> & {
  steps: Step[]
  tries: (Omit<Try, 'steps'> & { steps: Step[] })[]
}

/** Scenarios of one name as tries of one, in the order of their times, where each has one, or as they stand. */
export function mergeReruns<Step>(scenarios: readonly Rerun<Step>[]): Rerun<Step>[] {
  const byName = Map.groupBy(scenarios, ({ name }) => name)
  return [...byName.values()].map((same) => {
    const isTimed = same.every(({ started }) => started !== null)
    const inOrder = isTimed
      ? same.toSorted((a, b) => String(a.started).localeCompare(String(b.started)))
      : same
    // A report of reruns may have all others as skipped.
    const last = inOrder.findLast(({ state }) => state !== 'SKIPPED') ?? inOrder.at(-1)
    const earlier = inOrder.slice(0, inOrder.indexOf(last as Rerun<Step>)) // no list is empty
    const logs = [...earlier.map(({ log }, at) => log && `Try ${at + 1}:\n${log}`), last?.log]
    return {
      ...(last as Rerun<Step>), // likewise
      log: logs.filter(Boolean).join('\n'),
      tries: [...earlier.flatMap(triesOf), ...(last?.tries ?? [])],
    }
  })
}

const triesOf = <Step>({ state, message, started, durationMs, steps, tries }: Rerun<Step>) => [
  ...tries,
  ...(state === 'FAILED' || state === 'ERROR'
    ? [{ state, message, started, durationMs, steps }]
    : []),
]
