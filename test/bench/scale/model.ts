/** Demand of one unit of work for each resource, in seconds of its time. */
export type Demands = Readonly<Record<string, number>>

/** Part of the time in which a resource is busy: demand times rate (the utilization law). */
export const utilization = (demand: number, rate: number): number => demand * rate

/** Times of one request, in seconds. */
export interface Served {
  /** Processor time among many other requests. */
  demand: number
  /** Additional processor time, where it finds all parts idle: they wake, and it shares no work with others. */
  setup: number
  /** Waits that other work does not lengthen: for the disk, for timers. */
  waits: number
}

/**
 * Busy part of the processor where the first request of each busy period takes longer (P. D. Welch, On a generalized
 * M/G/1 queuing process in which the first customer of each busy period receives exceptional service, 1964).
 */
export const busyWith = ({ demand, setup }: Omit<Served, 'waits'>, rate: number): number =>
  Math.min(1, (rate * (demand + setup)) / (1 + rate * setup))

/** @param busy part of the processor that requests took at that rate */
export const setupOf = (demand: number, rate: number, busy: number): number =>
  Math.max(0, (busy / rate - demand) / (1 - busy))

/**
 * Mean response time where all work shares the processor in turns, behind the set-up of its busy period.
 * @param others busy part by other work
 */
export function responseTime(
  { demand, setup, waits }: Served,
  rate: number,
  others: number,
): number {
  const idle = 1 - utilization(demand, rate)
  if (idle <= 0) return Number.POSITIVE_INFINITY
  const forSetup = (2 * setup + rate * setup ** 2) / (2 * (1 + rate * setup))
  return waits + demand / (idle * (1 - others)) + forSetup
}

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
