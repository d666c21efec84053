import type * as openid from 'openid-client'
import { AppError } from '../../formats/errors.ts'
import type { Identity } from '../../platform/access/identity.ts'
import type { SessionGrant, UserClaims } from '../../platform/access/session-grant.ts'
import { currentTime } from '../../platform/process/clock.ts'
import type { Logger } from '../../platform/process/logger.ts'
import { reasonOf } from './failure-reason.ts'
import type { Issuer } from './oidc.ts'
import { type Pending, pendingIn, pendingText } from './pending-login.ts'
import { type Connection, connector, unreachable, userInfoOf } from './provider-connection.ts'
import type { SignInSettings } from './settings.ts'

/** Path to which browsers come back. */
export const CALLBACK_PATH = '/session/callback'

/** The provider is asked whether a session may go on at least this often, so that a closed account loses it. */
const RENEW_MS = 15 * 60_000
/** The part of what it grants after which it is asked again: there is time left for another try. */
const RENEW_AFTER = 0.8

/** Errors of a provider after which the user has to sign in again; everything else may pass, or is the operator's to mend. */
const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
])

type Client = NonNullable<SignInSettings['oidc']['client']>

/** User who has signed in, and the grant that keeps the session open; null where the provider gives no refresh token. */
export interface Granted {
  identity: Identity
  grant: SessionGrant | null
}

/** Sign-in of browsers at an OpenID provider: authorization code with PKCE (OpenID Connect Core 1.0, RFC 7636). */
export class ProviderLogin {
  private readonly connect: () => Promise<Connection>

  constructor(
    provider: string,
    private readonly registered: Client,
    private readonly issuer: Omit<Issuer, 'identify'>,
    private readonly log: Logger,
  ) {
    this.connect = connector(provider, registered, log)
  }

  /** @param origin of this server, as browsers know it @param then own path to continue at, and sessions that end then */
  async begin(
    origin: string,
    then: Pick<Pending, 'returnTo' | 'former'>,
  ): Promise<{ url: string; state: string; kept: string }> {
    const { client, config } = await this.connect()
    const pending: Pending = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      ...then,
    }
    // Not pushed elsewhere: each sign-in that is begun, by any client, would cost the provider a request (RFC 9126).
    const isPushed = config.serverMetadata().require_pushed_authorization_requests === true
    const parameters = {
      redirect_uri: this.callbackAt(origin),
      scope: this.registered.scopes,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    }
    const url = isPushed
      ? await client.buildAuthorizationUrlWithPAR(config, parameters).catch((error) => {
          throw error instanceof client.ResponseBodyError
            ? refused(error, this.log)
            : unreachable(error, this.log)
        })
      : client.buildAuthorizationUrl(config, parameters)
    return { url: url.href, state: pending.state, kept: pendingText(pending) }
  }

  /** @param query with which the browser came back @param kept what it kept meanwhile @throws AppError UNAUTHENTICATED, OVERLOADED */
  async finish(
    origin: string,
    query: string,
    kept: string | null,
  ): Promise<Granted & Pick<Pending, 'returnTo' | 'former'> & { idToken: string | undefined }> {
    const pending = pendingIn(kept)
    if (!pending)
      throw new AppError(
        'UNAUTHENTICATED',
        'No sign-in is pending in this browser, or it took more than ten minutes; start again',
      )
    const { client, config } = await this.connect()
    const tokens = await client
      .authorizationCodeGrant(config, new URL(`${this.callbackAt(origin)}${query}`), {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      })
      .catch((error) => {
        throw refused(error, this.log)
      })
    try {
      await this.checkSignature(tokens).catch((error) => {
        throw refused(error, this.log)
      })
      const granted = await this.grantedBy(tokens, tokens.refresh_token)
      const { returnTo, former } = pending
      return { ...granted, idToken: tokens.id_token, returnTo, former }
    } catch (error) {
      // No session will hold the token, so none could take it back later.
      if (tokens.refresh_token !== undefined) await this.revoke(tokens.refresh_token)
      throw error
    }
  }

  /**
   * Asks for more time, and who the user is by now.
   * @param earlier what the last ID token said; holds where the provider gives no other
   * @param rotated called with the refresh token that is good from then on, also where a later step fails
   * @throws AppError UNAUTHENTICATED where that is refused; OVERLOADED
   */
  async renew(
    refreshToken: string,
    earlier: UserClaims | undefined,
    rotated?: (refreshToken: string) => void,
  ): Promise<Granted & { grant: SessionGrant }> {
    const { client, config } = await this.connect()
    const tokens = await client.refreshTokenGrant(config, refreshToken).catch((error) => {
      if (error instanceof client.ResponseBodyError && REFUSALS.has(error.error))
        throw refused(error, this.log)
      throw unreachable(error, this.log)
    })
    // Without rotation the same one is good on.
    const next = tokens.refresh_token ?? refreshToken
    rotated?.(next)
    await this.checkSignature(tokens).catch((error) => {
      throw unreachable(error, this.log)
    })
    const { identity, grant } = await this.grantedBy(tokens, next, earlier)
    if (!grant)
      throw new AppError(
        'UNAUTHENTICATED',
        'The issuer does not say how long the user is signed in',
      )
    return { identity, grant }
  }

  /** Takes a refresh token back where the provider offers that (RFC 7009). A failure is logged: the session has ended. */
  async revoke(refreshToken: string): Promise<void> {
    try {
      const { client, config } = await this.connect()
      if (!config.serverMetadata().revocation_endpoint) return
      await client.tokenRevocation(config, refreshToken, { token_type_hint: 'refresh_token' })
    } catch (error) {
      this.log.warn({ reason: reasonOf(error) }, 'The provider rejected the refresh token')
    }
  }

  /**
   * Address at which the user ends the session of the provider; null where it offers none.
   * @param idToken of the sign-in, so that the provider knows whose session ends and need not ask
   */
  async endUrl(origin: string, idToken: string | null): Promise<string | null> {
    const { client, config } = await this.connect()
    if (!config.serverMetadata().end_session_endpoint) return null
    return client.buildEndSessionUrl(config, {
      post_logout_redirect_uri: `${this.registered.redirectOrigin ?? origin}/`,
      ...(idToken !== null && { id_token_hint: idToken }),
    }).href
  }

  private callbackAt(origin: string): string {
    return `${this.registered.redirectOrigin ?? origin}${CALLBACK_PATH}`
  }

  private async checkSignature({ id_token: idToken }: Tokens): Promise<void> {
    if (idToken !== undefined) await this.issuer.verified(idToken, this.registered.id)
  }

  /** @param earlier what is known of the user; absent at a first sign-in */
  private async grantedBy(
    tokens: Tokens,
    refreshToken: string | undefined,
    earlier?: UserClaims,
  ): Promise<Granted> {
    const idToken = checkedIdToken(tokens, earlier)
    const accessToken = await this.issuer.verified(tokens.access_token).catch((error) => {
      if (error instanceof AppError && error.code === 'UNAUTHENTICATED') return null
      throw error
    })
    const sub = idToken?.sub ?? earlier?.sub
    // Without another ID token, roles that the last one listed hold.
    const isAsked =
      (idToken || earlier?.roles === null) && this.issuer.isLacking(idToken, accessToken)
    const userInfo =
      isAsked && sub !== undefined
        ? await userInfoOf(this.connect, tokens.access_token, sub, this.log)
        : null
    const claims = idToken ? this.issuer.userClaimsOf(idToken, userInfo, earlier?.user) : earlier
    if (!claims) throw new AppError('UNAUTHENTICATED', 'The issuer does not say who the user is')
    const sources = [idToken, accessToken, userInfo].filter((each) => each != null)
    const expiresAt = endOf(tokens)
    const identity = {
      ...this.issuer.identityOf(claims, sources),
      ...(expiresAt !== undefined && { expiresAt }),
    }
    if (refreshToken === undefined || expiresAt === undefined) return { identity, grant: null }
    const lastsMs = expiresAt - currentTime().getTime()
    const renewInMs = Math.min(lastsMs * RENEW_AFTER, RENEW_MS)
    return { identity, grant: { refreshToken, claims, renewInMs, lastsMs } }
  }
}

/** @throws AppError UNAUTHENTICATED where it does not continue what is known of the user */
function checkedIdToken(tokens: Tokens, earlier: UserClaims | undefined) {
  const idToken = tokens.claims()
  if (idToken && earlier && idToken.sub !== earlier.sub)
    throw new AppError('UNAUTHENTICATED', 'The issuer names another user')
  // Roles that a version before has kept may be parts of one name, and nothing gives back what they were.
  if (!idToken && earlier?.roles && !earlier.hasWholeNames)
    throw new AppError(
      'UNAUTHENTICATED',
      'The roles of the session are of a version before: sign in again',
    )
  return idToken
}

/** End of the ID token, or of the access token where a renewal brings no other. Undefined where neither has one. */
function endOf(tokens: Tokens): number | undefined {
  const idToken = tokens.claims()
  if (idToken) return idToken.exp * 1_000
  return tokens.expires_in === undefined
    ? undefined
    : currentTime().getTime() + tokens.expires_in * 1_000
}

type Tokens = openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers
/** Refusal after an error of the provider, or a response that does not fit; the log has the cause. */
function refused(error: unknown, log: Logger): AppError {
  log.warn({ reason: reasonOf(error) }, 'A sign-in at the OpenID provider failed')
  const {
    message,
    error: code,
    error_description: why,
  } = error as Partial<openid.ResponseBodyError> // as openid-client throws
  return new AppError(
    'UNAUTHENTICATED',
    `The sign-in failed (${why ?? code ?? message}): sign in again, or ask the operator for the reason in the log`,
  )
}
