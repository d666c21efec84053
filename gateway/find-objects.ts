import type { FindObjects } from '../subgraphs/server/index.ts'
import type { SubgraphLink } from './federation/index.ts'

const EXIST =
  'query Exist($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }'

/** Codes of objects that are there, and not for this caller. */
const HIDDEN: ReadonlySet<unknown> = new Set(['FORBIDDEN', 'UNAUTHENTICATED', 'NOT_FOUND'])

/** Asks subgraphs for objects, as a plan enters them. @throws what keeps a subgraph from an answer */
export const findObjects =
  (links: readonly SubgraphLink[]): FindObjects =>
  async (subgraph, keys, caller) => {
    const link = links.find(({ name }) => name === subgraph)
    if (!link) throw new Error(`There is no subgraph ${subgraph}`)
    const representations = keys.map(({ type, id }) => ({ __typename: type, id }))
    const { data, errors = [] } = await link.execute(
      { kind: 'query', document: EXIST, variables: { representations } },
      { caller },
    )
    const fault = errors.find(({ extensions }) => !HIDDEN.has(extensions.code))
    if (fault) throw fault
    const found = (data?._entities ?? []) as (object | null)[] // as every subgraph answers
    return keys.map((_, index) => (found[index] ?? null) !== null)
  }
