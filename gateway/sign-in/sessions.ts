import type { Caller } from '../../platform/access/caller.ts'
import type { Identity, SessionIdentity } from '../../platform/access/identity.ts'
import type { SessionGrant } from '../../platform/access/session-grant.ts'
import type { SubgraphLink } from '../federation/index.ts'
import type { HttpRequest } from '../http/http-message.ts'
import { type AskAccounts, askAccounts } from './ask-accounts.ts'
import type { ProviderLogin } from './provider-login.ts'
import { requireOwnCookie, sessionSecretOf } from './session-cookie.ts'
import { SessionRenewals } from './session-renewals.ts'
import { byOwnClock, IDENTIFY } from './users.ts'

const OPEN =
  'mutation Open($browser: String!, $grant: JSONObject, $replaced: [String!]) { openBrowserSession(browser: $browser, grant: $grant, replaced: $replaced) }'
const REFRESH_TOKEN = 'mutation Token($secret: String!) { sessionRefreshToken(secret: $secret) }'
const END = 'mutation End { signOut }'

/** A session that was opened. Times are ISO 8601. */
export interface OpenedSession {
  /** For the cookie. */
  secret: string
  id: string
  created: string
  expires: string
  ends: string
}

/** Sessions of browsers: the accounts subgraph keeps them, and a provider renews those that it granted. */
export interface BrowserSessions {
  /** Identifies the sender by the cookie of a request. @returns null without one, and for a session that is over @throws AppError FORBIDDEN for pages of others, OVERLOADED */
  identify(request: HttpRequest, caller: Caller): Promise<Identity | null>
  /** @param grant of a provider that renews the session @param former hashes of the secrets of sessions that end with this sign-in; their refresh tokens are not revoked, as some issuers revoke those of the new session with them */
  open(
    caller: Caller,
    request: HttpRequest,
    former: readonly string[],
    grant?: SessionGrant | null,
  ): Promise<OpenedSession>
  /**
   * Ends sessions, whatever signs in beside them, and takes their refresh tokens back.
   * @param secrets in cookies @returns ids of those that lasted
   */
  end(secrets: readonly string[], caller: Caller): Promise<string[]>
}

export function createBrowserSessions(
  accounts: SubgraphLink,
  provider: ProviderLogin | null,
): BrowserSessions {
  const renewals = provider && new SessionRenewals(provider)
  /** Whose session it is, which the issuer may have to renew first. */
  const knownTo = async (ask: AskAccounts, secret: string, isFresh = false) => {
    const credential = { kind: 'cookie', secret, ...(isFresh && { isFresh }) }
    const { identify } = await ask(IDENTIFY, { credential, isRecheck: true })
    return identify as SessionIdentity | null // as the accounts subgraph answers
  }

  const endOne = async (secret: string, caller: Caller): Promise<string[]> => {
    const found = await knownTo(askAccounts(accounts, caller), secret)
    if (!found?.session) return []
    const { user, subject, account, session } = found
    // A user whose roles are gone may sign out, too.
    const owner: Caller = { ...caller, user, session, permissions: ['account:own'] }
    const known = { ...(account && { account }), ...(subject && { subject }) }
    const ask = askAccounts(accounts, { ...owner, ...known })
    const { sessionRefreshToken: token } = provider ? await ask(REFRESH_TOKEN, { secret }) : {}
    await ask(END)
    if (typeof token === 'string') await provider?.revoke(token)
    return [session]
  }
  const end: BrowserSessions['end'] = async (secrets, caller) =>
    (await Promise.all(secrets.map((secret) => endOne(secret, caller)))).flat()

  return {
    async identify(request, caller) {
      const secret = sessionSecretOf(request.headers)
      if (secret === null) return null
      requireOwnCookie(request)
      const ask = askAccounts(accounts, caller)
      let found = await knownTo(ask, secret)
      if (found?.renewal && renewals) {
        const renewing = renewals.renew(secret, ask)
        // The session lasts for a while without it, and the failure is logged there.
        if (found.renewal === 'due') renewing.catch(() => {})
        else {
          await renewing
          found = await knownTo(ask, secret, true)
        }
      }
      if (!found || found.renewal === 'overdue') return null
      const { renewal: _renewal, ...identity } = found
      return byOwnClock(identity)
    },
    async open(caller, { headers }, former, grant = null) {
      const browser = headers['user-agent'] ?? ''
      const variables = { browser, grant, replaced: former }
      const { openBrowserSession } = await askAccounts(accounts, caller)(OPEN, variables)
      return openBrowserSession as OpenedSession // as the accounts subgraph answers
    },
    end,
  }
}
