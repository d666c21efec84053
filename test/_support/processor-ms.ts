const TRIES = 5

/**
 * The least time that a processor was busy with it in up to five tries, in milliseconds: the garbage collector may work
 * during any of them. Ends with the first try that takes less than `enoughMs`.
 */
export async function leastProcessorMs(enoughMs: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least >= enoughMs; tries++) {
    const began = processorMs()
    await work()
    least = Math.min(least, processorMs() - began)
  }
  return least
}

/** How long a processor was busy with this thread, in milliseconds: what others do with the machine does not count. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
