import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { AppError } from '../../formats/errors.ts'
import type { Identity } from '../../platform/access/identity.ts'
import type { UserClaims } from '../../platform/access/session-grant.ts'
import type { Logger } from '../../platform/process/logger.ts'
import { claimAt, isName, namesAt, wasSplit } from './claims.ts'
import { credentialOf } from './credential.ts'
import { reasonOf } from './failure-reason.ts'
import { permissionsOf, roleOf } from './roles.ts'
import type { SignInSettings } from './settings.ts'
import type { Identify } from './users.ts'
import { whyWithoutRole } from './without-role.ts'

/** Clocks differ by so much. */
const TOLERANCE_SECONDS = 30
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

const SPLIT =
  'The claim of the roles is a text with blanks or commas: it counts as one group, and is not split any more. Let the issuer list the groups, name the whole text in ROLE_MAP, or read a claim called scope or scp, which is split at blanks'

/** Different reasons in the log, each once: callers without a role may come with every request. */
const NOTED = 1_000

/** An OpenID Connect issuer. */
export class Issuer {
  readonly #keys: JWTVerifyGetKey
  readonly #oidc: SignInSettings['oidc']
  #isSplitNoted = false
  readonly #noted = new Set<string>()

  constructor(
    private readonly settings: SignInSettings,
    private readonly log: Logger,
  ) {
    this.#keys = issuerKeys(settings)
    this.#oidc = settings.oidc
  }

  /** Callers with bearer tokens: JWTs that its published keys sign. */
  readonly identify: Identify = async (_request, given) => {
    const credential = credentialOf(given)
    if (!credential) return null
    if (credential.kind !== 'token')
      throw new AppError('UNAUTHENTICATED', `Sign in with a bearer token of ${this.#oidc.issuer}`)
    const token = await this.verified(credential.token)
    const { exp } = token
    return {
      ...this.identityOf(this.userClaimsOf(token), [token]),
      ...(this.settings.keepsClaims && { claims: token }),
      ...(exp !== undefined && { expiresAt: exp * 1_000 }),
    }
  }

  /** True where a name, or roles, stand in none of these. */
  isLacking(idToken: JWTPayload | undefined, accessToken: JWTPayload | null): boolean {
    return (
      (idToken !== undefined && claimAt(idToken, this.#oidc.userClaim) === undefined) ||
      [idToken, accessToken].every((token) => !token || this.#rolesIn(token) === null)
    )
  }

  /**
   * The user that a token names.
   * @param userInfo names the user where it does not
   * @param known name of before, for neither
   * @throws AppError UNAUTHENTICATED where there is no name
   */
  userClaimsOf(token: JWTPayload, userInfo: JWTPayload | null = null, known?: string): UserClaims {
    const { userClaim } = this.#oidc
    const { sub } = token
    const sources = [token, userInfo ?? {}]
    const user =
      sources.map((each) => claimAt(each, userClaim)).find((name) => name != null) ?? known ?? sub
    if (user === undefined)
      throw new AppError(
        'UNAUTHENTICATED',
        `The token names no user: it has neither ${userClaim} nor sub`,
      )
    const bad = Object.entries({ [userClaim]: user, sub }).find(
      ([, name]) => name !== undefined && !isName(name),
    )
    if (bad || !isName(user))
      throw new AppError(
        'UNAUTHENTICATED',
        `The token names no user: ${bad?.[0]} must be a text of 1 to 255 characters without control characters`,
      )
    return { sub, user, roles: this.#rolesIn(token), hasWholeNames: true }
  }

  /** @param sources in order: the first that lists roles counts where `claims` list none */
  identityOf({ sub, user, roles }: UserClaims, sources: readonly JWTPayload[]): Identity {
    const { issuer, rolesClaim } = this.#oidc
    const names =
      roles ?? sources.map((each) => this.#rolesIn(each)).find((found) => found !== null) ?? []
    // No name has a line break in it, so none can stand for another subject.
    const subject = sub === undefined ? `${issuer}\n\n${user}` : `${issuer}\n${sub}`
    const identity = { user, subject, permissions: permissionsOf(names, this.settings) }
    if (this.settings.keepsClaims || roleOf(names, this.settings)) return identity
    const withoutRole = whyWithoutRole(
      roles ? [{ [rolesClaim]: roles }, ...sources] : sources,
      rolesClaim,
      this.settings.roleMap,
    )
    if (!this.#noted.has(withoutRole) && this.#noted.size < NOTED) {
      this.#noted.add(withoutRole)
      this.log.warn({ user, reason: withoutRole }, 'The issuer names no role for a user')
    }
    return { ...identity, withoutRole }
  }

  /** @param meantFor `OIDC_AUDIENCE` if absent @throws AppError UNAUTHENTICATED, OVERLOADED */
  async verified(token: string, meantFor = this.#oidc.audience): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        issuer: this.#oidc.issuer,
        audience: meantFor,
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE_SECONDS,
        requiredClaims: ['exp'],
      })
      return payload
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new AppError('UNAUTHENTICATED', 'The token has expired')
      if (error instanceof errors.JWTClaimValidationFailed)
        throw new AppError(
          'UNAUTHENTICATED',
          `The token is not for this server: ${error.claim} is not as expected`,
        )
      if (isFault(error)) {
        this.log.error(
          { reason: reasonOf(error), issuer: this.#oidc.issuer },
          'Cannot fetch the keys of the issuer',
        )
        throw new AppError(
          'OVERLOADED',
          `Cannot fetch the keys of ${this.#oidc.issuer} at the moment; try again`,
        )
      }
      if (error instanceof errors.JOSEAlgNotAllowed)
        throw new AppError('UNAUTHENTICATED', refusalOfAlgorithm(token))
      throw new AppError('UNAUTHENTICATED', 'The token is not valid')
    }
  }

  #rolesIn(claims: JWTPayload): string[] | null {
    const { rolesClaim } = this.#oidc
    if (!this.#isSplitNoted && wasSplit(claims, rolesClaim)) {
      this.#isSplitNoted = true
      this.log.warn({ claim: rolesClaim }, SPLIT)
    }
    return namesAt(claims, rolesClaim)
  }
}

function refusalOfAlgorithm(token: string): string {
  const { alg = '' } = decodeProtectedHeader(token)
  const named = /^[\w-]{1,20}$/.test(alg) ? alg : 'an algorithm that has no such name'
  return `The token is signed by ${named}; taken are ${ALGORITHMS.join(', ')}`
}

/** Whatever jose does not say of the token itself came up while the keys were fetched. */
const isFault = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  error instanceof errors.JWKSTimeout ||
  error.code === 'ERR_JOSE_GENERIC' ||
  error instanceof errors.JWKSInvalid

/** The keys of an issuer, found out when they are first needed, and again when that failed or a new key turns up. */
function issuerKeys({ oidc: { issuer, jwksUrl } }: SignInSettings): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | undefined
  return async (...token) => {
    keys ??= (jwksUrl ? Promise.resolve(jwksUrl) : discover(issuer)).then((url) =>
      createRemoteJWKSet(new URL(url)),
    )
    const known = await keys.catch((error) => {
      keys = undefined
      throw error
    })
    return known(...token)
  }
}

/**
 * OpenID Connect Discovery 1.0, section 4. What names another issuer may come from an attacker (section 4.3).
 * @throws Error with the fault and the remedy
 */
async function discover(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000), redirect: 'error' })
  const found = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown }
  const { jwks_uri } = found
  if (!response.ok || typeof jwks_uri !== 'string') throw new Error(`${url} names no jwks_uri`)
  if (found.issuer !== issuer)
    throw new Error(
      `${url} is of the issuer ${JSON.stringify(found.issuer)}, not of ${JSON.stringify(issuer)}: no token is taken. Compare both to the character; if that is your issuer, set OIDC_ISSUER to its name`,
    )
  return jwks_uri
}
