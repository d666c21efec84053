import { splitList } from '../../platform/outbound/cidr.ts'
import { missing } from '../../platform/settings/env.ts'
import { roleMapOf } from '../../platform/settings/formats.ts'
import { standardOf } from '../../platform/settings/setting.ts'
import { VARIABLES, type Variables } from '../../platform/settings/variables.ts'

export const SIGN_IN_VARIABLES = [
  'AUTH_MODE',
  'ALLOWED_HOSTS',
  'PROXY_ADDRESSES',
  'PROXY_USER_HEADER',
  'PROXY_ROLES_HEADER',
  'PROXY_ROLES_SEPARATOR',
  'OIDC_ISSUER',
  'OIDC_AUDIENCE',
  'OIDC_JWKS_URL',
  'OIDC_USER_CLAIM',
  'OIDC_ROLES_CLAIM',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_CLIENT_KEY',
  'OIDC_SCOPES',
  'OIDC_REDIRECT_ORIGIN',
  'ROLE_MAP',
  'DEFAULT_ROLE',
  'SIGN_IN_RECHECK_SECONDS',
  'SIGN_IN_GRACE_SECONDS',
] as const

type Given = Pick<Variables, (typeof SIGN_IN_VARIABLES)[number]>

export const signInFaults = (given: Given): string[] => [
  ...(given.AUTH_MODE === 'proxy'
    ? missing(given, ['PROXY_ADDRESSES'], 'with AUTH_MODE=proxy, to the addresses of that server')
    : []),
  ...(given.AUTH_MODE === 'oidc'
    ? missing(given, ['OIDC_ISSUER', 'OIDC_AUDIENCE'], 'with AUTH_MODE=oidc')
    : []),
  ...(given.OIDC_CLIENT_SECRET
    ? missing(given, ['OIDC_CLIENT_ID'], 'with OIDC_CLIENT_SECRET')
    : []),
  ...(given.OIDC_CLIENT_KEY ? missing(given, ['OIDC_CLIENT_ID'], 'with OIDC_CLIENT_KEY') : []),
  ...(given.OIDC_CLIENT_KEY && given.OIDC_CLIENT_SECRET
    ? ['OIDC_CLIENT_KEY takes the place of OIDC_CLIENT_SECRET: set one of them']
    : []),
  ...(given.SIGN_IN_GRACE_SECONDS <= given.SIGN_IN_RECHECK_SECONDS
    ? ['SIGN_IN_GRACE_SECONDS must be more than SIGN_IN_RECHECK_SECONDS, or every stream ends']
    : []),
]

/** Settings of the issuer that no other mode of sign-in reads, in words for the log. */
export const signInIgnored = (given: Given): string[] =>
  given.AUTH_MODE === 'oidc'
    ? []
    : SIGN_IN_VARIABLES.filter(
        (name) => name.startsWith('OIDC_') && given[name] !== standardOf(VARIABLES[name]),
      ).map((name) => `${name} needs AUTH_MODE=oidc`)

/** A token takes the place of the password. */
const BASIC = 'Basic realm="Assay", charset="UTF-8"'

/** Settings of the sign-in. */
export type SignInSettings = ReturnType<typeof signInSettings> & {
  /** True if callers have the claims of their tokens, and may do without a role. */
  keepsClaims?: boolean
}

export const signInSettings = (given: Given) => ({
  mode: given.AUTH_MODE ?? 'none',
  /** Way to sign in, for `WWW-Authenticate` (RFC 9110, section 11.6.1). */
  challenge: given.AUTH_MODE === 'oidc' ? 'Bearer realm="Assay"' : BASIC,
  /** Extra `Host` values, in lower case, accepted on loopback with `AUTH_MODE=none` (DNS-rebinding protection). */
  allowedHosts: splitList(given.ALLOWED_HOSTS.toLowerCase()),
  /** Servers in front, in CIDR notation. */
  proxyAddresses: splitList(given.PROXY_ADDRESSES ?? ''),
  /** Headers of the server in front, in lower case. */
  userHeader: given.PROXY_USER_HEADER.toLowerCase(),
  rolesHeader: given.PROXY_ROLES_HEADER.toLowerCase(),
  rolesSeparator: given.PROXY_ROLES_SEPARATOR ?? /[,;]/,
  /** Names of groups or roles elsewhere, and what they are here. */
  roleMap: roleMapOf(given.ROLE_MAP),
  /** The role of callers without a mapped one; undefined: no permissions. */
  defaultRole: given.DEFAULT_ROLE,
  /** When the sign-ins of open streams are checked again. */
  recheckMs: given.SIGN_IN_RECHECK_SECONDS * 1_000,
  /** Time for which a stream goes on while its sign-in cannot be checked. */
  graceMs: given.SIGN_IN_GRACE_SECONDS * 1_000,
  oidc: {
    issuer: given.OIDC_ISSUER ?? '',
    audience: given.OIDC_AUDIENCE ?? '',
    /** Found out from the issuer if absent. */
    jwksUrl: given.OIDC_JWKS_URL,
    userClaim: given.OIDC_USER_CLAIM,
    /** A path with dots, such as `realm_access.roles`. */
    rolesClaim: given.OIDC_ROLES_CLAIM,
    /** As which this server signs browsers in; null where it does not. */
    client: given.OIDC_CLIENT_ID
      ? {
          id: given.OIDC_CLIENT_ID,
          /** A public client has none. */
          secret: given.OIDC_CLIENT_SECRET,
          /** A private JWK, by which it signs in instead of a secret. */
          key: given.OIDC_CLIENT_KEY,
          /** With blanks. */
          scopes: given.OIDC_SCOPES,
          /** Origin at which browsers find this server; as the request names it if absent. */
          redirectOrigin: given.OIDC_REDIRECT_ORIGIN,
        }
      : null,
  },
})
