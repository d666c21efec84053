import type * as openid from 'openid-client'
import { AppError } from '../../formats/errors.ts'
import type { Identity } from '../../platform/access/identity.ts'
import type { SessionGrant, UserClaims } from '../../platform/access/session-grant.ts'
import { currentTime } from '../../platform/process/clock.ts'
import type { Logger } from '../../platform/process/logger.ts'
import { reasonOf } from './failure-reason.ts'
import type { Issuer } from './oidc.ts'
import { type Pending, pendingIn, pendingText } from './pending-login.ts'
import { connector, unreachable, userInfoOf } from './provider-connection.ts'
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

/** User who has signed in, and the grant that keeps the session open; null where the provider gives no refresh token. */
export interface Granted {
  identity: Identity
  grant: SessionGrant | null
}

/** Sign-in of browsers at an OpenID provider: authorization code with PKCE (OpenID Connect Core 1.0, RFC 7636). */
export interface ProviderLogin {
  /** @param origin of this server, as browsers know it @param then own path to continue at, and sessions that end then */
  begin(
    origin: string,
    then: Pick<Pending, 'returnTo' | 'former'>,
  ): Promise<{ url: string; state: string; kept: string }>
  /** @param query with which the browser came back @param kept what it kept meanwhile @throws AppError UNAUTHENTICATED, OVERLOADED */
  finish(
    origin: string,
    query: string,
    kept: string | null,
  ): Promise<Granted & Pick<Pending, 'returnTo' | 'former'> & { idToken: string | undefined }>
  /**
   * Asks for more time, and who the user is by now.
   * @param earlier what the last ID token said; holds where the provider gives no other
   * @param rotated called with the refresh token that is good from then on, also where a later step fails
   * @throws AppError UNAUTHENTICATED where that is refused; OVERLOADED
   */
  renew(
    refreshToken: string,
    earlier: UserClaims | undefined,
    rotated?: (refreshToken: string) => void,
  ): Promise<Granted & { grant: SessionGrant }>
  /** Takes a refresh token back where the provider offers that (RFC 7009). A failure is logged: the session has ended. */
  revoke(refreshToken: string): Promise<void>
  /**
   * Address at which the user ends the session of the provider; null where it offers none.
   * @param idToken of the sign-in, so that the provider knows whose session ends and need not ask
   */
  endUrl(origin: string, idToken: string | null): Promise<string | null>
}

/** @returns null where no client is registered with the provider */
export function createProviderLogin(
  { oidc }: Pick<SignInSettings, 'oidc'>,
  issuer: Omit<Issuer, 'identify'>,
  log: Logger,
): ProviderLogin | null {
  if (!oidc.client) return null
  const connect = connector(oidc.issuer, oidc.client, log)
  const { id, scopes, redirectOrigin } = oidc.client
  const checkSignature = async ({ id_token: idToken }: Tokens): Promise<void> => {
    if (idToken !== undefined) await issuer.verified(idToken, id)
  }
  const grantedBy = async (
    tokens: Tokens,
    refreshToken: string | undefined,
    earlier?: UserClaims,
  ): Promise<Granted> => {
    const idToken = tokens.claims()
    if (!idToken && !earlier)
      throw new AppError('UNAUTHENTICATED', 'The issuer does not say who the user is')
    // Roles that a version before has kept may be parts of one name, and nothing gives back what they were.
    if (!idToken && earlier?.roles && !earlier.hasWholeNames)
      throw new AppError(
        'UNAUTHENTICATED',
        'The roles of the session are of a version before: sign in again',
      )
    if (earlier && idToken && idToken.sub !== earlier.sub)
      throw new AppError('UNAUTHENTICATED', 'The issuer names another user')
    const accessToken = await issuer.verified(tokens.access_token).catch((error) => {
      if (error instanceof AppError && error.code === 'UNAUTHENTICATED') return null
      throw error
    })
    const sub = idToken?.sub ?? earlier?.sub
    // Without another ID token, roles that the last one listed hold.
    const isAsked = (idToken || earlier?.roles === null) && issuer.isLacking(idToken, accessToken)
    const userInfo =
      isAsked && sub !== undefined ? await userInfoOf(connect, tokens.access_token, sub, log) : null
    const claims = idToken ? issuer.userClaimsOf(idToken, userInfo, earlier?.user) : earlier
    if (!claims) throw new AppError('UNAUTHENTICATED', 'The issuer does not say who the user is')
    const sources = [idToken, accessToken, userInfo].filter((each) => each != null)
    const expiresAt = endOf(tokens)
    const identity = {
      ...issuer.identityOf(claims, sources),
      ...(expiresAt !== undefined && { expiresAt }),
    }
    if (refreshToken === undefined || expiresAt === undefined) return { identity, grant: null }
    const lastsMs = expiresAt - currentTime().getTime()
    const renewInMs = Math.min(lastsMs * RENEW_AFTER, RENEW_MS)
    return { identity, grant: { refreshToken, claims, renewInMs, lastsMs } }
  }
  const callbackAt = (origin: string) => `${redirectOrigin ?? origin}${CALLBACK_PATH}`

  return {
    async begin(origin, then) {
      const { client, config } = await connect()
      const pending: Pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        ...then,
      }
      // Not pushed elsewhere: each sign-in that is begun, by any client, would cost the provider a request (RFC 9126).
      const isPushed = config.serverMetadata().require_pushed_authorization_requests === true
      const parameters = {
        redirect_uri: callbackAt(origin),
        scope: scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      }
      const url = isPushed
        ? await client.buildAuthorizationUrlWithPAR(config, parameters).catch((error) => {
            throw error instanceof client.ResponseBodyError
              ? refused(error, log)
              : unreachable(error, log)
          })
        : client.buildAuthorizationUrl(config, parameters)
      return { url: url.href, state: pending.state, kept: pendingText(pending) }
    },

    async finish(origin, query, kept) {
      const pending = pendingIn(kept)
      if (!pending)
        throw new AppError(
          'UNAUTHENTICATED',
          'No sign-in is pending in this browser, or it took more than ten minutes; start again',
        )
      const { client, config } = await connect()
      const tokens = await client
        .authorizationCodeGrant(config, new URL(`${callbackAt(origin)}${query}`), {
          pkceCodeVerifier: pending.verifier,
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          idTokenExpected: true,
        })
        .then(async (granted) => {
          await checkSignature(granted)
          return granted
        })
        .catch((error) => {
          throw refused(error, log)
        })
      const granted = await grantedBy(tokens, tokens.refresh_token)
      const { returnTo, former } = pending
      return { ...granted, idToken: tokens.id_token, returnTo, former }
    },

    async renew(refreshToken, earlier, rotated) {
      const { client, config } = await connect()
      const tokens = await client.refreshTokenGrant(config, refreshToken).catch((error) => {
        if (error instanceof client.ResponseBodyError && REFUSALS.has(error.error))
          throw refused(error, log)
        throw unreachable(error, log)
      })
      // Without rotation the same one is good on.
      const next = tokens.refresh_token ?? refreshToken
      rotated?.(next)
      await checkSignature(tokens).catch((error) => {
        throw unreachable(error, log)
      })
      const { identity, grant } = await grantedBy(tokens, next, earlier)
      if (!grant)
        throw new AppError(
          'UNAUTHENTICATED',
          'The issuer does not say how long the user is signed in',
        )
      return { identity, grant }
    },

    async revoke(refreshToken) {
      try {
        const { client, config } = await connect()
        if (!config.serverMetadata().revocation_endpoint) return
        await client.tokenRevocation(config, refreshToken, { token_type_hint: 'refresh_token' })
      } catch (error) {
        log.warn({ reason: reasonOf(error) }, 'The provider rejected the refresh token')
      }
    },

    async endUrl(origin, idToken) {
      const { client, config } = await connect()
      if (!config.serverMetadata().end_session_endpoint) return null
      return client.buildEndSessionUrl(config, {
        post_logout_redirect_uri: `${redirectOrigin ?? origin}/`,
        ...(idToken !== null && { id_token_hint: idToken }),
      }).href
    },
  }
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
