import type { GraphQLResolveInfo } from 'graphql'
import { selects } from '../subgraph/executable.ts'

const TOTAL: ReadonlySet<string> = new Set(['totalCount'])

/** Whether the length of a list is asked for: then it is read from the snapshot that the page is read from. */
export const selectsTotal = (info: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): boolean =>
  selects(info, TOTAL)
