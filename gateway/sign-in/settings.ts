import { splitList } from '../../subgraphs/platform/outbound/cidr.ts'
import { missing } from '../../subgraphs/platform/settings/env.ts'
import { roleMapOf } from '../../subgraphs/platform/settings/formats.ts'
import type { AuthMode, Variables } from '../../subgraphs/platform/settings/variables.ts'
import type { RoleSettings } from './roles.ts'

/** When the sign-ins of open streams are checked again. */
export interface RecheckTimes {
  recheckMs: number
  /** How long a stream goes on while its sign-in cannot be checked. */
  graceMs: number
}

/** How callers become known. */
export interface SignInSettings extends RoleSettings, RecheckTimes {
  mode: AuthMode
  /** How clients sign in, as `WWW-Authenticate` says it (RFC 9110, section 11.6.1). */
  challenge: string
  /** Extra `Host` values, in lower case, accepted on loopback with `AUTH_MODE=none` (DNS-rebinding protection). */
  allowedHosts: readonly string[]
  /** Servers in front, in CIDR notation. */
  proxyAddresses: readonly string[]
  /** Headers of the server in front, in lower case. */
  userHeader: string
  rolesHeader: string
  oidc: {
    issuer: string
    audience: string
    /** Found out from the issuer if absent. */
    jwksUrl: string | undefined
    userClaim: string
    /** A path with dots, such as `realm_access.roles`. */
    rolesClaim: string
    /** As which this server signs browsers in; null where it does not. */
    client: {
      id: string
      /** A public client has none. */
      secret: string | undefined
      /** With blanks. */
      scopes: string
      /** Where browsers find this server; as the request names it if absent. */
      redirectOrigin: string | undefined
    } | null
  }
}

export const SIGN_IN_VARIABLES = [
  'AUTH_MODE',
  'ALLOWED_HOSTS',
  'PROXY_ADDRESSES',
  'PROXY_USER_HEADER',
  'PROXY_ROLES_HEADER',
  'OIDC_ISSUER',
  'OIDC_AUDIENCE',
  'OIDC_JWKS_URL',
  'OIDC_USER_CLAIM',
  'OIDC_ROLES_CLAIM',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
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
  ...(given.SIGN_IN_GRACE_SECONDS <= given.SIGN_IN_RECHECK_SECONDS
    ? ['SIGN_IN_GRACE_SECONDS must be more than SIGN_IN_RECHECK_SECONDS, or every stream ends']
    : []),
]

/** A token takes the place of the password. */
const BASIC = 'Basic realm="Assay", charset="UTF-8"'

export const signInSettings = (given: Given): SignInSettings => ({
  mode: given.AUTH_MODE ?? 'none',
  challenge: given.AUTH_MODE === 'oidc' ? 'Bearer realm="Assay"' : BASIC,
  allowedHosts: splitList(given.ALLOWED_HOSTS.toLowerCase()),
  proxyAddresses: splitList(given.PROXY_ADDRESSES ?? ''),
  userHeader: given.PROXY_USER_HEADER.toLowerCase(),
  rolesHeader: given.PROXY_ROLES_HEADER.toLowerCase(),
  roleMap: roleMapOf(given.ROLE_MAP),
  defaultRole: given.DEFAULT_ROLE,
  recheckMs: given.SIGN_IN_RECHECK_SECONDS * 1_000,
  graceMs: given.SIGN_IN_GRACE_SECONDS * 1_000,
  oidc: {
    issuer: given.OIDC_ISSUER ?? '',
    audience: given.OIDC_AUDIENCE ?? '',
    jwksUrl: given.OIDC_JWKS_URL,
    userClaim: given.OIDC_USER_CLAIM,
    rolesClaim: given.OIDC_ROLES_CLAIM,
    client: given.OIDC_CLIENT_ID
      ? {
          id: given.OIDC_CLIENT_ID,
          secret: given.OIDC_CLIENT_SECRET,
          scopes: given.OIDC_SCOPES,
          redirectOrigin: given.OIDC_REDIRECT_ORIGIN,
        }
      : null,
  },
})
