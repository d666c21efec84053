import type { GraphQLResolveInfo } from 'graphql'
import { selects } from '../subgraph/executable.ts'
import type { PageArgs } from './page.ts'

const TOTAL: ReadonlySet<string> = new Set(['totalCount', 'isTotalCountEstimated'])

/** True if the length of a list is asked for: then it is read from the snapshot that the page is read from. */
export const selectsTotal = (info: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): boolean =>
  selects(info, TOTAL)

export const counted = <Args extends PageArgs>(args: Args, info: GraphQLResolveInfo): Args => ({
  ...args,
  isCounted: selectsTotal(info),
})
