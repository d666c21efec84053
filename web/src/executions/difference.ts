/** A text in three parts: what it begins like another one with, what differs, and what both end with. */
export function differenceTo(
  other: string,
  text: string,
): [same: string, own: string, end: string] {
  const most = Math.min(text.length, other.length)
  let start = 0
  while (start < most && text[start] === other[start]) start++
  let end = 0
  while (end < most - start && text.at(-1 - end) === other.at(-1 - end)) end++
  // Words are marked whole: half of `true` is no value.
  while (start > 0 && isInWord(start - 1, start, text, other)) start--
  while (end > 0 && isInWord(-end, -end - 1, text, other)) end--
  // Halves of one character stay together.
  if (isHalf(text, start) || isHalf(other, start)) start--
  if (isHalf(text, text.length - end) || isHalf(other, other.length - end)) end--
  if (start + end === 0) return [text, '', '']
  return [text.slice(0, start), text.slice(start, text.length - end), text.slice(text.length - end)]
}

/** True if a letter that both have stands beside a letter of what differs. */
const isInWord = (same: number, beside: number, ...texts: string[]): boolean =>
  LETTER.test(texts[0]?.at(same) ?? '') && texts.some((text) => LETTER.test(text.at(beside) ?? ''))

const LETTER = /^[\p{L}_]$/u

const isHalf = (text: string, at: number): boolean =>
  /^[\udc00-\udfff]/.test(text.charAt(at)) && at > 0
