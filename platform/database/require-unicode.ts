export interface Encoded {
  name: string
  encoding: string
}

/** Selects one row, for `requireUnicode`. */
export const ENCODING =
  "select current_database() as name, current_setting('server_encoding') as encoding"

/**
 * Other encodings lack characters, or take texts for bytes: events with such characters would be refused, and searches
 * fail, long after the start. @throws Error that says what to do
 */
export function requireUnicode({ name, encoding }: Encoded): void {
  if (encoding === 'UTF8') return
  throw new Error(
    `The database "${name}" has the encoding ${encoding}; Assay needs UTF8.\nCreate another with: CREATE DATABASE … ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0`,
  )
}
