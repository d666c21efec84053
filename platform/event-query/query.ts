/** A parsed query. `offset` is where a part begins in its text, counted from 0. */
export type Query =
  | { kind: 'all' }
  | { kind: 'and' | 'or'; parts: Query[] }
  | { kind: 'not'; part: Query }
  | { kind: 'term'; field: FieldName | null; word: Word; offset: number }
  | { kind: 'range'; field: FieldName; from: Bound; to: Bound; offset: number }

/** As it stands in the query. */
export interface FieldName {
  name: string
  offset: number
}

/** A word or phrase, escapes resolved. */
export interface Word {
  text: string
  /** The same as a pattern for LIKE where the word has wildcards: `*` any text, `?` any character. */
  like: string | null
  /** Set if it is punctuation alone, and no phrase: such a one is looked for only where nothing else is. */
  isPunctuation?: true
}

export interface Bound {
  /** Null is open: `*`. */
  text: string | null
  isIncluded: boolean
}
