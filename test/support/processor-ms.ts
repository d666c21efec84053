const TRIES = 5

/** The least that `measure` returned in up to five tries: the garbage collector may work during any of them. Ends with the first below `enough`. */
export async function leastOf(
  enough: number,
  measure: () => number | Promise<number>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least >= enough; tries++)
    least = Math.min(least, await measure())
  return least
}

/** The least time that a processor was busy with it, in milliseconds. */
export const leastProcessorMs = (enoughMs: number, work: () => unknown): Promise<number> =>
  leastOf(enoughMs, async () => {
    const began = processorMs()
    await work()
    return processorMs() - began
  })

/** Processor time of this thread in milliseconds: the work of others does not count. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
