import { AppError } from '../../schema/errors.ts'
import type { Identity } from '../../subgraphs/platform/access/identity.ts'
import type { Logger } from '../../subgraphs/platform/process/logger.ts'
import type { Issuer } from './oidc.ts'
import { type Pending, pendingIn, pendingText } from './pending-login.ts'
import type { SignInSettings } from './settings.ts'

/** Where browsers come back to. */
export const CALLBACK_PATH = '/session/callback'

/** For one request to the provider. */
const TIMEOUT_SECONDS = 10

/** Sign-in of browsers at an OpenID provider: authorization code with PKCE (OpenID Connect Core 1.0, RFC 7636). */
export interface ProviderLogin {
  /** @param origin of this server, as browsers know it @param returnTo own path to continue at */
  begin(origin: string, returnTo: string): Promise<{ url: string; kept: string }>
  /** @param query with which the browser came back @param kept what it kept meanwhile @throws AppError UNAUTHENTICATED, OVERLOADED */
  finish(
    origin: string,
    query: string,
    kept: string | null,
  ): Promise<{ identity: Identity; idToken: string | undefined; returnTo: string }>
  /**
   * Where the user ends the session of the provider; null where it offers none.
   * @param idToken of the sign-in, so that the provider knows whose session ends and need not ask
   */
  endUrl(origin: string, idToken: string | null): Promise<string | null>
}

/** @returns null where no client is registered with the provider */
export function createProviderLogin(
  { oidc }: Pick<SignInSettings, 'oidc'>,
  issuer: Pick<Issuer, 'identityOf' | 'verified'>,
  log: Logger,
): ProviderLogin | null {
  if (!oidc.client) return null
  const connect = connector(oidc.issuer, oidc.client, log)
  const { scopes, redirectOrigin } = oidc.client
  const callbackAt = (origin: string) => `${redirectOrigin ?? origin}${CALLBACK_PATH}`

  return {
    async begin(origin, returnTo) {
      const { client, config } = await connect()
      const pending: Pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        returnTo,
      }
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: callbackAt(origin),
        scope: scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, kept: pendingText(pending) }
    },

    async finish(origin, query, kept) {
      const pending = pendingIn(kept)
      if (!pending)
        throw new AppError(
          'UNAUTHENTICATED',
          'This browser has begun no sign-in, or it took more than ten minutes: sign in again',
        )
      const { client, config } = await connect()
      const tokens = await client
        .authorizationCodeGrant(config, new URL(`${callbackAt(origin)}${query}`), {
          pkceCodeVerifier: pending.verifier,
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          idTokenExpected: true,
        })
        .catch((error) => {
          throw refused(error, log)
        })
      const claims = tokens.claims() ?? {}
      const granted = await issuer.verified(tokens.access_token).catch(() => null)
      return {
        identity: issuer.identityOf(claims, granted),
        idToken: tokens.id_token,
        returnTo: pending.returnTo,
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

type Client = typeof import('openid-client')
interface Connection {
  client: Client
  config: import('openid-client').Configuration
}

/** Reads the provider's discovery document when it is first needed, and again after a failure. */
function connector(
  issuer: string,
  { id, secret }: NonNullable<SignInSettings['oidc']['client']>,
  log: Logger,
): () => Promise<Connection> {
  let connecting: Promise<Connection> | undefined
  const connect = async (): Promise<Connection> => {
    const client = await import('openid-client')
    const plain = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
    const config = await client.discovery(
      new URL(issuer),
      id,
      undefined,
      secret === undefined ? client.None() : bySecret(client, secret),
      { timeout: TIMEOUT_SECONDS, execute: [...plain, client.enableNonRepudiationChecks] },
    )
    return { client, config }
  }
  return () => {
    connecting ??= connect().catch((error) => {
      connecting = undefined
      log.error({ reason: String(error), issuer }, 'The OpenID provider cannot be reached')
      throw new AppError('OVERLOADED', `${issuer} cannot be reached at the moment; try again`)
    })
    return connecting
  }
}

/** In the header, which is the default of OpenID Connect, unless the provider takes it in the body alone. */
const bySecret =
  (client: Client, secret: string): import('openid-client').ClientAuth =>
  (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(secret)
      : client.ClientSecretPost(secret)
    return authenticate(server, ...rest)
  }

/** What the provider answered, or what of its answer does not fit; the log has the cause. */
function refused(error: unknown, log: Logger): AppError {
  const {
    message,
    code,
    error_description: why,
  } = error as {
    message: string
    code?: string
    error_description?: string
  } // as openid-client throws
  log.warn({ reason: message, code, why }, 'A sign-in at the OpenID provider failed')
  return new AppError(
    'UNAUTHENTICATED',
    `The sign-in failed (${why ?? message}): sign in again, or ask the operator for the reason in the log`,
  )
}
