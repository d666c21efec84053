/**
 * A filter text as an SQL `like` pattern: `*` is any text, `\*` a star. Backslashes before a star count in pairs, each
 * of which is one backslash; anywhere else a backslash is itself.
 * @returns the text itself when no star in it is a wildcard
 */
export function readWildcards(text: string): { exact: string } | { pattern: string } {
  let exact = ''
  let pattern = ''
  let isPattern = false
  for (const [part, backslashes, star] of text.matchAll(/(\\*)(\*)|[^*\\]+|\\+/g)) {
    const literal = star ? '\\'.repeat(Math.floor((backslashes?.length ?? 0) / 2)) : part
    const isStar = star !== undefined && (backslashes?.length ?? 0) % 2 === 1
    const isWildcard = star !== undefined && !isStar
    exact += literal + (isStar ? '*' : '')
    pattern += likeLiteral(literal) + (isStar ? '*' : isWildcard ? '%' : '')
    isPattern ||= isWildcard
  }
  return isPattern ? { pattern } : { exact }
}

/** A text that stands for itself in an SQL `like` pattern. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** The same for texts that were read already; it takes as long as they are. */
export function wildcardTest(filter: string): (text: string) => boolean {
  const read = readWildcards(filter)
  if ('exact' in read) return (text) => text === read.exact
  const [first = '', ...rest] = literalsOf(read.pattern)
  const last = rest.pop() ?? ''
  return (text) => {
    if (!text.startsWith(first) || text.length < first.length + last.length) return false
    let at = first.length
    const end = text.length - last.length
    for (const literal of rest) {
      const found = text.indexOf(literal, at)
      if (found === -1 || found + literal.length > end) return false
      at = found + literal.length
    }
    return text.endsWith(last)
  }
}

/** Texts between the wildcards of a pattern. */
function literalsOf(pattern: string): string[] {
  const literals = ['']
  for (const [part, escaped] of pattern.matchAll(/\\(.)|%|[^\\%]+/gs))
    if (part === '%') literals.push('')
    else literals[literals.length - 1] += escaped ?? part
  return literals
}
