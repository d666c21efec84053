/** The order of a list, as the address has it: an attribute, behind `-` where it descends. */
export interface Sorted {
  sort?: string
}

export const sortSearch = ({ sort }: Record<string, unknown>): Sorted =>
  typeof sort === 'string' && /^-?[a-z]+$/i.test(sort) ? { sort } : {}

export const attributeOf = (sort: string): string => sort.replace('-', '')

/** The order after a click at a column that sorts by `own`, which is its first direction. */
export const nextSort = (own: string, sort: string | undefined): string =>
  sort !== own ? own : own.startsWith('-') ? attributeOf(own) : `-${own}`

/** The order that the address asks for, where a column has it. Addresses come from anywhere. */
export const knownSort = (
  { sort }: Sorted,
  columns: readonly { sortedBy?: string }[],
): string | undefined =>
  sort !== undefined &&
  columns.some(({ sortedBy }) => sortedBy && attributeOf(sortedBy) === attributeOf(sort))
    ? sort
    : undefined

/** The same as the graph takes it. */
export const sortInput = (sort: string) => [
  { attribute: attributeOf(sort), direction: sort.startsWith('-') ? DESC : ASC },
]
const ASC = 'ASC' as const // the graph's own word
const DESC = 'DESC' as const
