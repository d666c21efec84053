import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../schema/errors.ts'
import { failureOf } from '../../schema/failure.ts'
import type { RenewalClaim } from '../../subgraphs/platform/access/session-grant.ts'
import type { AskAccounts } from './ask-accounts.ts'
import type { ProviderLogin } from './provider-login.ts'

const CLAIM = 'mutation Claim($secret: String!) { claimSessionRenewal(secret: $secret) }'
const RENEW =
  'mutation Renew($secret: String!, $identity: JSONObject!, $grant: JSONObject!) { renewSession(secret: $secret, identity: $identity, grant: $grant) }'
const RELEASE =
  'mutation Release($secret: String!, $until: Float!) { releaseSessionRenewal(secret: $secret, until: $until) }'
const END = 'mutation End($secret: String!) { endRefusedSession(secret: $secret) }'

/** Between two looks whether another process has renewed a session. */
const LOOK_MS = 200
/** How long a request waits for that. */
const WAIT_MS = 5_000
/** After a failure the issuer is not asked again for the same session. */
const PAUSE_MS = 5_000

/** Asks the provider for more time for a session: once, whatever asks for it at the same time. */
export class SessionRenewals {
  readonly #running = new Map<string, Promise<void>>()

  constructor(private readonly provider: Pick<ProviderLogin, 'renew'>) {}

  /** @param secret of the session @throws AppError OVERLOADED; a session that is refused has ended */
  renew(secret: string, ask: AskAccounts): Promise<void> {
    const running = this.#running.get(secret)
    if (running) return running
    const forget = () => this.#running.delete(secret)
    const renewing = this.#renew(secret, ask)
    this.#running.set(secret, renewing)
    renewing.then(forget, () => setTimeout(forget, PAUSE_MS).unref())
    return renewing
  }

  async #renew(secret: string, ask: AskAccounts): Promise<void> {
    const until = performance.now() + WAIT_MS
    do {
      const { claimSessionRenewal } = await ask(CLAIM, { secret })
      const claim = claimSessionRenewal as RenewalClaim // as the accounts subgraph answers
      if (claim.state === 'granted') return this.#askProvider(secret, claim, ask)
      if (claim.state !== 'held') return
      await delay(LOOK_MS)
    } while (performance.now() < until)
    throw new AppError('OVERLOADED', 'The session is being renewed at the issuer; try again')
  }

  async #askProvider(
    secret: string,
    { refreshToken, claims, until }: RenewalClaim & { state: 'granted' },
    ask: AskAccounts,
  ): Promise<void> {
    const granted = await this.provider.renew(refreshToken, claims).catch(async (error) => {
      if (failureOf(error).code === 'UNAUTHENTICATED') return null
      // Without an answer the claim would keep all processes from asking until it runs out.
      if (until !== undefined) await ask(RELEASE, { secret, until }).catch(() => {})
      throw error
    })
    if (granted) await ask(RENEW, { secret, ...granted })
    else await ask(END, { secret })
  }
}
