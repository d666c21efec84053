import { MAX_IMPORT_DURATION_MS } from '../import-limits.ts'

/** The nearest element around tests that says when it began, the same for all of them. */
export interface Begun {
  /** ISO 8601; null where nothing around them has a time. */
  at: string | null
  /** Duration; NaN where the report has no number. */
  ms: number
}

/**
 * When tests began. Those of a suite begin one after the other, and those of a suite that does not say when it began do so
 * with the first suite that says it.
 */
export function startsOf(
  tests: readonly { begun: Begun; durationMs: number }[],
): (string | null)[] {
  const first = tests.find(({ begun }) => begun.at !== null)?.begun.at ?? null
  const passed = new Map<Begun, number>()
  return tests.map(({ begun, durationMs }) => {
    const own = isDuration(durationMs) ? durationMs : 0
    const before = passed.get(begun) ?? 0
    passed.set(begun, before + own)
    const at = begun.at ?? first
    // A suite whose tests ran at the same time took less than all of them.
    const whole = isDuration(begun.ms) && begun.ms > 0 ? begun.ms : Number.POSITIVE_INFINITY
    const waited = Math.max(0, Math.min(before, whole - own))
    return at && new Date(Date.parse(at) + Math.round(waited)).toISOString()
  })
}

const isDuration = (ms: number): boolean => ms >= 0 && ms <= MAX_IMPORT_DURATION_MS
