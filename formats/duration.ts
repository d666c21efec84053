const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A duration such as `30s`, as schemas of JSON describe it. */
export const DURATION_PATTERN = '^[0-9]{1,9}(ms|s|m|h|d)$'

/** Milliseconds of a duration such as `30s`, `5m`, `1h` or `0s`. @throws Error for any other text */
export function durationMs(text: string): number {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? []
  if (!unit) throw new Error(`${text} is no duration: expected one such as 30s, 5m or 1h`)
  return Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS] // as the pattern has it
}
