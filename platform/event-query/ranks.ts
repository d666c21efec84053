import type { Bound } from './query.ts'
import { normalizeWord } from './words.ts'

/**
 * The words between two bounds by their rank, not by the alphabet.
 * @param words in rising order, upper case @param from,to in any case
 * @returns undefined where a bound is none of the words
 */
export function wordsBetween(
  words: readonly string[],
  from: Bound,
  to: Bound,
): readonly string[] | undefined {
  const rankOf = ({ text }: Bound) =>
    text === null ? undefined : words.indexOf(normalizeWord(words, text))
  const least = rankOf(from)
  const most = rankOf(to)
  if (least === -1 || most === -1) return undefined
  return words.filter(
    (_, rank) =>
      (least === undefined || rank > least || (from.isIncluded && rank === least)) &&
      (most === undefined || rank < most || (to.isIncluded && rank === most)),
  )
}
