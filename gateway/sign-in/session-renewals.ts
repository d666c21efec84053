import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../formats/errors.ts'
import { failureOf } from '../../formats/failure.ts'
import type { RenewalClaim } from '../../platform/access/session-grant.ts'
import type { AskAccounts } from './ask-accounts.ts'
import type { ProviderLogin } from './provider-login.ts'

const CLAIM = 'mutation Claim($secret: String!) { claimSessionRenewal(secret: $secret) }'
const RENEW =
  'mutation Renew($secret: String!, $identity: JSONObject!, $grant: JSONObject!) { renewSession(secret: $secret, identity: $identity, grant: $grant) }'
const RELEASE =
  'mutation Release($secret: String!, $until: Float!, $refreshToken: String!) { releaseSessionRenewal(secret: $secret, until: $until, refreshToken: $refreshToken) }'
const END = 'mutation End($secret: String!) { endRefusedSession(secret: $secret) }'

/** Between two looks whether another process has renewed a session. */
const LOOK_MS = 200
/** Time that a request waits for that. */
const WAIT_MS = 5_000
/** After a failure the issuer is not asked again for the same session. */
const PAUSE_MS = 5_000
/** Tries to give a claim back, with the refresh token that is good by then; the claim runs out after about as long. */
const RELEASES = 40
const RELEASE_AGAIN_MS = 1_000

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
    let next = refreshToken
    const renewing = this.provider.renew(refreshToken, claims, (rotated) => {
      next = rotated
    })
    try {
      const granted = await renewing.catch((error) => {
        if (failureOf(error).code === 'UNAUTHENTICATED') return null
        throw error
      })
      if (granted) await ask(RENEW, { secret, ...granted })
      else await ask(END, { secret })
    } catch (error) {
      // Without an answer the claim would keep all processes from asking until it runs out.
      if (until !== undefined) void release({ secret, until, refreshToken: next }, ask)
      throw error
    }
  }
}

/** Providers take a refresh token once, so the next one must be stored, also while accounts are away for a moment. */
async function release(claim: Record<string, unknown>, ask: AskAccounts): Promise<void> {
  for (let tries = RELEASES; tries > 0; tries--) {
    const isReleased = await ask(RELEASE, claim).then(
      () => true,
      () => false,
    )
    if (isReleased) return
    await delay(RELEASE_AGAIN_MS, undefined, { ref: false })
  }
}
