import { AppError } from '../../formats/errors.ts'
import type { Caller } from '../../platform/access/caller.ts'
import type { Identity } from '../../platform/access/identity.ts'
import type { SubgraphLink } from '../federation/index.ts'
import type { HttpRequest } from '../http/http-message.ts'
import { askAccounts } from './ask-accounts.ts'
import { credentialOf, type Given } from './credential.ts'

export const IDENTIFY =
  'query Identify($credential: JSONObject!, $isRecheck: Boolean!) { identify(credential: $credential, isRecheck: $isRecheck) }'

/** A client whose sign-in is not known yet. */
export interface Stranger extends Caller {
  /** True if the same sign-in was valid before, when the stream of this client was opened. */
  isRecheck: boolean
}

/** Verifies a sign-in. @returns null for a client that brings none @throws AppError for one that is not valid */
export type Identify = (
  request: HttpRequest,
  given: Given,
  stranger: Stranger,
) => Promise<Identity | null>

/** Accounts of our own: the accounts subgraph knows them, in this process or in another. */
export function identifyByAccount(accounts: SubgraphLink): Identify {
  return async (_request, given, { isRecheck, ...caller }) => {
    const credential = credentialOf(given)
    if (!credential) return null
    const { identify } = await askAccounts(accounts, caller)(IDENTIFY, { credential, isRecheck })
    const identity = byOwnClock(identify as Identity | null) // as the accounts subgraph answers
    if (!identity) throw new AppError('UNAUTHENTICATED', 'The sign-in is not valid')
    return identity
  }
}

/** An identity as accounts answer it, with its end by the clock of this process. */
export function byOwnClock(given: Identity | null): Identity | null {
  if (given?.lifetimeMs === undefined) return given
  const { lifetimeMs, ...identity } = given
  return { ...identity, expiresAt: Date.now() + lifetimeMs }
}
