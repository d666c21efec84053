import { AppError } from '../../formats/errors.ts'
import type { Caller } from '../../platform/access/caller.ts'
import type { SubgraphLink } from '../federation/index.ts'

/** Asks the accounts subgraph, which knows users and keeps their sessions. @throws what it answers as its first error */
export type AskAccounts = (
  document: string,
  variables?: Record<string, unknown>,
) => Promise<Record<string, unknown>>

export const askAccounts =
  (accounts: SubgraphLink, caller: Caller): AskAccounts =>
  async (document, variables = {}) => {
    const kind = document.startsWith('query') ? 'query' : 'mutation'
    const { data, errors } = await accounts.execute({ kind, document, variables }, { caller })
    if (errors?.[0]) throw errors[0]
    if (!data) throw new AppError('OVERLOADED', 'The accounts subgraph gave no answer; try again')
    return data
  }
