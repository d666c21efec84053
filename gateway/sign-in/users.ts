import type { IncomingMessage } from 'node:http'
import { AppError } from '../../schema/errors.ts'
import type { Identity } from '../../subgraphs/shared/access/identity.ts'
import type { SubgraphLink } from '../links/link.ts'
import { callerOf } from '../serving/caller-of.ts'
import { clientAddress, trusted } from './client-address.ts'
import { credentialOf, type Given } from './credential.ts'
import type { SignInSettings } from './settings.ts'

const IDENTIFY =
  'query Identify($credential: JSONObject!, $address: String!) { identify(credential: $credential, address: $address) }'

/** Finds out who somebody is. @returns null for somebody who brings nothing @throws AppError for what is not valid */
export type Identify = (request: IncomingMessage, given: Given) => Promise<Identity | null>

/** Accounts of our own: the accounts subgraph knows them, in this process or in another. */
export function identifyByAccount(
  accounts: SubgraphLink,
  { proxyAddresses }: SignInSettings,
): Identify {
  const isTrusted = trusted(proxyAddresses)
  return async (request, given) => {
    const credential = credentialOf(given)
    if (!credential) return null
    const { requestId } = callerOf(request)
    const variables = { credential, address: clientAddress(request, isTrusted) }
    const { data, errors } = await accounts.execute(
      { kind: 'query', document: IDENTIFY, variables },
      { caller: { requestId, user: null, permissions: [] } },
    )
    if (errors?.[0]) throw errors[0]
    const identity = data?.identify as Identity | null // as the accounts subgraph answers
    if (!identity) throw new AppError('UNAUTHENTICATED', 'The sign-in is not valid')
    return identity
  }
}
