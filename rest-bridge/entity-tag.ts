import { AppError } from '../schema/errors.ts'

/** The strong entity tag of a revision (RFC 9110, 8.8.3). */
export const entityTag = (revision: number): string => `"${revision}"`

/** One entity tag at the start of a text; quotes may be missing, as some clients leave them out. */
const TAG = /^(W\/)?(?:"([\x21\x23-\x7e\x80-\xff]*)"|([^\s",]+))$/

/**
 * Reads `If-Match` (RFC 9110, 13.1.1): a list of entity tags, or `*` for whatever is stored.
 * @returns the revisions that the request accepts; null when it accepts any. Weak tags and foreign ones match none.
 * @throws AppError BAD_USER_INPUT for what is no list of entity tags
 */
export function parseIfMatch(header: string | undefined): number[] | null {
  if (header === undefined || header.trim() === '*') return null
  const tags = header.split(',').map((text) => text.trim())
  return tags.flatMap((text) => {
    const [tag, weak, quoted, bare] = TAG.exec(text) ?? []
    if (tag === undefined)
      throw new AppError('BAD_USER_INPUT', 'Header If-Match: expected * or entity tags such as "3"')
    const revision = quoted ?? bare ?? ''
    return !weak && /^[1-9]\d{0,8}$/.test(revision) ? [Number(revision)] : []
  })
}
