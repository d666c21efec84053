import { importJWK, type JWK, type JWTPayload } from 'jose'
import type * as openid from 'openid-client'
import { AppError } from '../../formats/errors.ts'
import type { Logger } from '../../platform/process/logger.ts'
import { reasonOf } from './failure-reason.ts'
import type { SignInSettings } from './settings.ts'

/** For one request to the provider. */
const TIMEOUT_SECONDS = 10

/** Client of the provider, with its discovery document. */
export interface Connection {
  client: typeof openid
  config: openid.Configuration
}

/** Reads the provider's discovery document when it is first needed, and again after a failure. */
export function connector(
  issuer: string,
  { id, secret, key }: NonNullable<SignInSettings['oidc']['client']>,
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
      key
        ? await byKey(client, key)
        : secret === undefined
          ? client.None()
          : bySecret(client, secret),
      // Signatures are checked here: a check within the library would lose the refresh token beside it where it fails.
      { timeout: TIMEOUT_SECONDS, execute: plain },
    )
    return { client, config }
  }
  return () => {
    connecting ??= connect().catch((error) => {
      connecting = undefined
      log.error({ reason: reasonOf(error), issuer }, 'The OpenID provider cannot be reached')
      throw new AppError('OVERLOADED', `${issuer} cannot be reached at the moment; try again`)
    })
    return connecting
  }
}

/** In the header, which is the default of OpenID Connect, unless the provider takes it in the body alone. */
const bySecret =
  (client: typeof openid, secret: string): openid.ClientAuth =>
  (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(secret)
      : client.ClientSecretPost(secret)
    return authenticate(server, ...rest)
  }

/** With a key of the client (`private_key_jwt`, OpenID Connect Core 1.0, section 9). */
async function byKey(client: typeof openid, text: string): Promise<openid.ClientAuth> {
  const jwk = JSON.parse(text) as JWK & { alg: string } // as the settings were checked
  const key = (await importJWK(jwk)) as openid.CryptoKey // an asymmetric one
  return client.PrivateKeyJwt(
    { key, ...(jwk.kid !== undefined && { kid: jwk.kid }) },
    {
      // Ed25519 has an older name, and each provider takes one of the two.
      [client.modifyAssertion](header) {
        header.alg = jwk.alg
      },
    },
  )
}

/**
 * Claims of a user beside the tokens (OpenID Connect Core 1.0, section 5.3), from the endpoint that its
 * discovery document names. Null where it has none, or gives nothing for this token.
 * @throws AppError UNAUTHENTICATED where it is of another subject; OVERLOADED
 */
export async function userInfoOf(
  connect: () => Promise<Connection>,
  accessToken: string,
  sub: string,
  log: Logger,
): Promise<JWTPayload | null> {
  const { client, config } = await connect()
  const { userinfo_endpoint: endpoint } = config.serverMetadata()
  if (!endpoint) return null
  return client.fetchUserInfo(config, accessToken, sub).catch((error) => {
    const { status = error.cause?.status } = error
    if (status === 401 || status === 403) {
      log.warn({ reason: reasonOf(error) }, 'The OpenID provider refused to say more of a user')
      return null
    }
    if (error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
      throw new AppError('UNAUTHENTICATED', 'The issuer names another user in UserInfo')
    const failure = unreachable(error, log)
    if (status === undefined) throw failure
    throw new AppError(
      'OVERLOADED',
      `UserInfo of the issuer, ${endpoint}, gave no claims (status ${status}): try again, and show this to the operator if it stays so`,
    )
  })
}

export function unreachable(error: unknown, log: Logger): AppError {
  log.warn({ reason: reasonOf(error) }, 'The OpenID provider did not answer')
  return new AppError('OVERLOADED', 'The issuer cannot be reached at the moment; try again')
}
