import { createRounding, sizeOf } from '../../formats/json/values.ts'
import type { Judged, Judgement } from '../evaluation/tasks.ts'
import { RunError } from '../run/error.ts'
import { maskOf } from '../run/mask.ts'
import { checkedExpectation } from '../scenario/step-settings.ts'
import { type Expectation, judge, select } from './expectation.ts'

/** @throws RunError INVALID_STEP, NOTHING_CAPTURED */
export function judgeStep({
  expectations,
  given = expectations,
  result,
  durationMs = 0,
  ignoreCase = false,
  masked = [],
  captures = {},
}: Judgement): Judged {
  const mask = maskOf(masked).value
  const rounded = createRounding()
  const unmet = expectations.flatMap((filled, i) => {
    const expectation = checkedExpectation(filled, given[i])
    return judge(expectation, result, { durationMs, ignoreCase, rounded, mask }) ?? []
  })
  if (unmet.length > 0) return { unmet, captured: {} }
  const captured = Object.entries(captures).map(([name, path]) => {
    const { actual, isThere } = select(path, result, rounded)
    if (!isThere)
      throw new RunError('NOTHING_CAPTURED', `The capture ${name} finds nothing at ${path}`)
    return [name, actual]
  })
  return { unmet, captured: Object.fromEntries(captured) }
}

/** Keys and positions alone: such a path takes no longer than it is. */
const PLAIN_PATH = /^\$(\.[A-Za-z_][A-Za-z0-9_]*|\[\d{1,15}\]|\['[A-Za-z0-9_ -]*'\])*$/
/** Asserts that run code of the scenario's author: a pattern, or a schema that may hold patterns. */
const OPEN_ENDED: ReadonlySet<Expectation['assert']> = new Set(['matches', 'schema'])
/** Characters of values that are compared on the spot. */
const SMALL = 10_000

/** True if judging takes less time than handing it to another process. */
export function isQuick({ expectations, result, captures = {} }: Judgement): boolean {
  const paths = [...expectations.map(({ path = '$' }) => path), ...Object.values(captures)]
  if (!paths.every((path) => PLAIN_PATH.test(path))) return false
  if (expectations.some(({ assert }) => OPEN_ENDED.has(assert))) return false
  const expected = expectations.map(({ value }) => value)
  return sizeOf([result, expected], SMALL) <= SMALL
}
