export interface RevisionSearch {
  /** The revision that an editor starts with, instead of the one that is stored. */
  revision?: number
}

export const revisionSearch = ({ revision }: Record<string, unknown>): RevisionSearch =>
  typeof revision === 'number' ? { revision } : {}
