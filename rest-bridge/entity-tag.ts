import { AppError } from '../formats/errors.ts'

/** The strong entity tag of a revision (RFC 9110, 8.8.3). */
export const entityTag = (revision: number): string => `"${revision}"`

/** One entity tag; its quotes may be missing, as some clients leave them out. */
const TAG = '(W/)?(?:"([\\x21\\x23-\\x7e\\x80-\\xff]*)"|([^\\s",]+))'
/** Added to a tag by servers in front that compress: `"3-gzip"` (Apache, Caddy), `"3--gzip"` (Jetty), `"3;br"`. */
const CODING = /(?:--?|;|:)[a-z]+$/i
const LIST = new RegExp(`^\\s*${TAG}(\\s*,\\s*${TAG})*\\s*$`)

/**
 * Reads `If-Match` (RFC 9110, 13.1.1): a list of entity tags, or `*` for whatever is stored.
 * Compares the revision in a tag: servers in front weaken or rename the tags of what they compress.
 * @returns the revisions that the request accepts; null when it accepts any. Foreign tags match none.
 * @throws AppError BAD_USER_INPUT unless it is a list of entity tags
 */
export function parseIfMatch(header: string | undefined): number[] | null {
  if (header === undefined || header.trim() === '*') return null
  if (!LIST.test(header))
    throw new AppError('BAD_USER_INPUT', 'Header If-Match: expected * or entity tags such as "3"')
  return opaqueTags(header).flatMap((revision) =>
    /^[1-9]\d{0,8}$/.test(revision) ? [Number(revision)] : [],
  )
}

/**
 * True if `If-None-Match` (RFC 9110, 13.1.2) names an entity tag, weak or strong. One that cannot be read names none.
 */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  if (!LIST.test(header)) return false
  return opaqueTags(header).some((each) => `"${each}"` === tag)
}

/** The tags of a list, without quotes, weakness and coding. */
const opaqueTags = (header: string): string[] =>
  [...header.matchAll(new RegExp(TAG, 'g'))].map(([, , quoted, bare]) =>
    (quoted ?? bare ?? '').replace(CODING, ''),
  )
