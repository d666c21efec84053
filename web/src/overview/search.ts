import type { ExecutionInterval } from '../graph/generated.ts'

export const INTERVALS: readonly { name: ExecutionInterval; title: string }[] = [
  { name: 'MINUTE', title: 'Last 30 minutes' },
  { name: 'HOUR', title: 'Last 30 hours' },
  { name: 'DAY', title: 'Last 30 days' },
  { name: 'WEEK', title: 'Last 30 weeks' },
]

/** The time scale of the overview, as the address has it. */
export function overviewSearch({ interval }: Record<string, unknown>): {
  interval?: ExecutionInterval
} {
  const known = INTERVALS.find(({ name }) => name === interval)
  return known && known.name !== 'HOUR' ? { interval: known.name } : {}
}
