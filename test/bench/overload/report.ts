import { residentMebibytes } from '../memory.ts'
import { format, print, summarize } from '../samples.ts'
import type { Outcome, Sample } from './offered.ts'

const WINDOW_MS = 500

/** Prints completed requests of a phase, and their latency. */
export function printPhase(title: string, samples: readonly Sample[], seconds: number): void {
  const of = (outcome: Outcome) => samples.filter((each) => each.outcome === outcome)
  const [done, refused, failed, unsent] = [of('done'), of('refused'), of('failed'), of('unsent')]
  const rate = (count: number) => format(count / seconds)
  print(
    `${title}: ${rate(samples.length)} a second offered · ${rate(done.length)} done · ${rate(refused.length)} refused · ${rate(failed.length)} failed · ${rate(unsent.length)} not sent, as every client waited`,
  )
  for (const [name, some] of [
    ['done', done],
    ['refused', refused],
  ] as const)
    if (some.length > 0) {
      const { p50, p99, max } = summarize(some.map(({ took }) => took))
      print(`  ${name} after p50 ${format(p50)} · p99 ${format(p99)} · slowest ${format(max)} ms`)
    }
  if (failed[0]) print(`  the first that failed: ${failed[0].instead}`)
}

/**
 * Seconds until windows of half a second are as before: nothing refused or failed, and half of all at most twice as slow.
 * @param usual p50 at the same rate before, in ms
 */
export function recovered(samples: readonly Sample[], usual: number): number {
  let last = 0
  const windows = Map.groupBy(samples, ({ due }) => Math.floor(due / WINDOW_MS))
  for (const [window, some] of windows) {
    const isUsual =
      some.every(({ outcome }) => outcome === 'done') &&
      summarize(some.map(({ took }) => took)).p50 <= Math.max(2 * usual, usual + 20)
    if (!isUsual) last = Math.max(last, window + 1)
  }
  return (last * WINDOW_MS) / 1_000
}

/** Resident memory of a process in MiB, twice a second until `stop`. */
export function watchMemory(pid: number): { stop(): number[] } {
  const samples: number[] = []
  const timer = setInterval(
    () => void residentMebibytes(pid).then((size) => samples.push(size)),
    WINDOW_MS,
  )
  return {
    stop() {
      clearInterval(timer)
      return samples
    },
  }
}
