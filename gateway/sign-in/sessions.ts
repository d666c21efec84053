import { AppError } from '../../schema/errors.ts'
import type { Caller } from '../../subgraphs/platform/access/caller.ts'
import type { Identity } from '../../subgraphs/platform/access/identity.ts'
import type { SubgraphLink } from '../federation/index.ts'
import type { HttpRequest } from '../http/request.ts'
import { requireOwnCookie, sessionSecretOf } from './session-cookie.ts'
import { byOwnClock, type Stranger } from './users.ts'

const IDENTIFY =
  'query Identify($credential: JSONObject!) { identify(credential: $credential, isRecheck: true) }'
const OPEN = 'mutation Open($browser: String!) { openBrowserSession(browser: $browser) }'
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

/** Sessions of browsers: the accounts subgraph keeps them. */
export interface BrowserSessions {
  /** Who the cookie of a request shows its sender to be. @returns null without one, and for a session that is over @throws AppError FORBIDDEN for pages of others */
  identify(request: HttpRequest, stranger: Stranger): Promise<Identity | null>
  open(caller: Caller, request: HttpRequest): Promise<OpenedSession>
  end(caller: Caller): Promise<void>
}

export function createBrowserSessions(accounts: SubgraphLink): BrowserSessions {
  async function run(
    kind: 'query' | 'mutation',
    document: string,
    caller: Caller,
    variables: Record<string, unknown> = {},
  ): Promise<Record<string, unknown>> {
    const { data, errors } = await accounts.execute({ kind, document, variables }, { caller })
    if (errors?.[0]) throw errors[0]
    if (!data) throw new AppError('OVERLOADED', 'The accounts subgraph gave no answer; try again')
    return data
  }
  return {
    async identify(request, { isRecheck: _, ...caller }) {
      const secret = sessionSecretOf(request.headers)
      if (secret === null) return null
      requireOwnCookie(request)
      const credential = { kind: 'cookie', secret }
      const { identify } = await run('query', IDENTIFY, caller, { credential })
      return byOwnClock(identify as Identity | null) // as the accounts subgraph answers
    },
    async open(caller, { headers }) {
      const browser = headers['user-agent'] ?? ''
      const { openBrowserSession } = await run('mutation', OPEN, caller, { browser })
      return openBrowserSession as OpenedSession // as the accounts subgraph answers
    },
    async end(caller) {
      await run('mutation', END, caller)
    },
  }
}
