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
  // Halves of one character stay together.
  if (isHalf(text, start) || isHalf(other, start)) start--
  if (isHalf(text, text.length - end) || isHalf(other, other.length - end)) end--
  if (start + end === 0) return [text, '', '']
  return [text.slice(0, start), text.slice(start, text.length - end), text.slice(text.length - end)]
}

const isHalf = (text: string, at: number): boolean =>
  /^[\udc00-\udfff]/.test(text.charAt(at)) && at > 0
