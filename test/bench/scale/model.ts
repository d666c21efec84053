/** What one unit of work takes of each resource, in seconds of its time. */
export type Demands = Readonly<Record<string, number>>

/** Part of the time in which a resource is busy: demand times rate (the utilization law). */
export const utilization = (demand: number, rate: number): number => demand * rate

/** What one request takes without other work, in seconds. */
export interface Alone {
  /** Of the processor. */
  demand: number
  /** Waits that other work does not lengthen: for the disk, for timers. */
  waits: number
}

/** What a request takes alone, from a mean response time under a load at which the processor was that busy. */
export function aloneOf(seconds: number, demand: number, busy: number): Alone {
  return { demand, waits: Math.max(0, seconds - sharedProcessor({ demand, waits: 0 }, busy)) }
}

/**
 * Mean response time where all work shares one processor in turns (M/G/1 with processor sharing).
 * @param busy utilization of the processor
 */
export const sharedProcessor = ({ demand, waits }: Alone, busy: number): number =>
  busy < 1 ? waits + demand / (1 - busy) : Number.POSITIVE_INFINITY

/**
 * Mean time that work waits for one of some slots (M/M/c, Erlang C).
 * @param held seconds for which it then holds the slot
 */
export function waitForSlot(slots: number, held: number, rate: number): number {
  const offered = rate * held
  if (offered >= slots) return Number.POSITIVE_INFINITY
  let term = 1
  let sum = 1
  for (let used = 1; used < slots; used++) {
    term *= offered / used
    sum += term
  }
  const all = ((term * offered) / slots) * (slots / (slots - offered))
  const waits = all / (sum + all)
  return (waits * held) / (slots - offered)
}

/** Cores that each resource needs for a load, by resource. @param load units a second */
export function coresFor(
  demands: Readonly<Record<string, Demands>>,
  load: Readonly<Record<string, number>>,
): Record<string, number> {
  const cores: Record<string, number> = {}
  for (const [unit, rate] of Object.entries(load))
    for (const [resource, seconds] of Object.entries(demands[unit] ?? {}))
      cores[resource] = (cores[resource] ?? 0) + utilization(seconds, rate)
  return cores
}
