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
    pattern += escaped(literal) + (isStar ? '*' : isWildcard ? '%' : '')
    isPattern ||= isWildcard
  }
  return isPattern ? { pattern } : { exact }
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
