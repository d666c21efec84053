/** The revision that an editor starts with, instead of the one that is stored. */
export const revisionSearch = ({ revision }: Record<string, unknown>): { revision?: number } =>
  typeof revision === 'number' ? { revision } : {}
