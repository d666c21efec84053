import { ROLE_NAMES } from '../access/permissions.ts'
import type { Settings } from './setting.ts'

/** Settings of sign-in: by a proxy, an issuer or own accounts, and sessions. */
export const SIGN_IN = {
  ADMIN_EMAIL: {
    schema: { type: 'string', format: 'email', default: 'admin@localhost' },
    meaning: 'E-mail address of the first administrator, used while there is no account.',
  },
  PROXY_ADDRESSES: {
    schema: { type: 'string', format: 'cidr-list' },
    absent: 'none',
    meaning:
      'Networks (CIDR, with commas) of the proxies in front. Only these may name the user (`AUTH_MODE=proxy`) and the address of the client (`X-Forwarded-For`).',
  },
  PROXY_USER_HEADER: {
    schema: { type: 'string', format: 'header', default: 'x-forwarded-user' },
    meaning: 'Header in which the proxy names the user.',
  },
  PROXY_ROLES_HEADER: {
    schema: { type: 'string', format: 'header', default: 'x-forwarded-groups' },
    meaning:
      'Header in which the proxy names the groups or roles of the user. It may come more than once.',
  },
  PROXY_ROLES_SEPARATOR: {
    schema: { type: 'string', format: 'separator' },
    absent: 'a comma or a semicolon',
    meaning:
      'Text between two names in that header, such as `|` where names have commas (`CN=QA,OU=Groups`).',
  },
  OIDC_ISSUER: {
    schema: { type: 'string', format: 'http-url' },
    meaning: 'Issuer whose tokens are accepted. Required with `AUTH_MODE=oidc`.',
  },
  OIDC_AUDIENCE: {
    schema: { type: 'string' },
    meaning: 'Audience that a token must name. Required with `AUTH_MODE=oidc`.',
  },
  OIDC_JWKS_URL: {
    schema: { type: 'string', format: 'http-url' },
    absent: 'read from the discovery document',
    meaning: 'Address of the keys of the issuer.',
  },
  OIDC_USER_CLAIM: {
    schema: { type: 'string', default: 'preferred_username' },
    meaning: 'Claim that names the user.',
  },
  OIDC_ROLES_CLAIM: {
    schema: { type: 'string', default: 'roles' },
    meaning:
      'Claim that lists the roles, such as `realm_access.roles`. A text is one name; `scope` and `scp` list names with blanks.',
  },
  OIDC_CLIENT_ID: {
    schema: { type: 'string' },
    absent: 'none: browsers cannot sign in here',
    meaning:
      'Id under which Assay is registered with the issuer, so that [browsers sign in](../how-to/sign-in.md#browsers-sign-in-at-the-issuer) there.',
  },
  OIDC_CLIENT_SECRET: {
    schema: { type: 'string' },
    isSecret: true,
    absent: 'none: a public client, with PKCE alone',
    meaning: 'Secret of that client.',
  },
  OIDC_CLIENT_KEY: {
    schema: { type: 'string', format: 'private-jwk' },
    isSecret: true,
    absent: 'none',
    meaning:
      'Private key (a JWK) by which that client signs in instead of a secret (`private_key_jwt`).',
  },
  OIDC_SCOPES: {
    schema: { type: 'string', format: 'scopes', default: 'openid profile email' },
    meaning: 'Scopes that the sign-in of a browser asks for, with blanks.',
  },
  OIDC_REDIRECT_ORIGIN: {
    schema: { type: 'string', format: 'origin' },
    absent: 'as the request names it',
    meaning:
      'Origin of Assay as browsers know it, such as `https://assay.example`. The issuer sends them back to `/session/callback` there.',
  },
  ROLE_MAP: {
    schema: { type: 'string', format: 'role-map', default: '' },
    absent: 'names of roles only',
    meaning:
      'Roles for groups or roles of the proxy or issuer, such as `qa-leads=editor,everyone=reader`. A name with a comma stands in quotation marks, doubled within: `"CN=QA,OU=Groups"=editor`.',
  },
  DEFAULT_ROLE: {
    schema: { type: 'string', enum: ROLE_NAMES },
    absent: 'none',
    meaning: `Role of users without any other: ${ROLE_NAMES.map((role) => `\`${role}\``).join(' ')}.`,
  },
  API_TOKEN_DAYS: {
    schema: { type: 'integer', minimum: 1, maximum: 36_500, default: 90 },
    meaning: 'Days until an API token expires that was created without a date.',
  },
  RECEIVER_GITHUB_SECRET: {
    schema: { type: 'string' },
    isSecret: true,
    absent: 'none: senders sign in',
    meaning:
      'Secret of the webhooks of GitHub that [send events here](../how-to/receive-events.md#github).',
  },
  RECEIVER_SENTRY_KEY: {
    schema: { type: 'string' },
    isSecret: true,
    absent: 'none: senders sign in',
    meaning:
      'Key in the DSN of SDKs of Sentry that [send events here](../how-to/receive-events.md#sentry).',
  },
  SESSION_IDLE_MINUTES: {
    schema: { type: 'integer', minimum: 1, maximum: 43_200, default: 480 },
    meaning:
      'Minutes without use until the session of a browser ends. Requests and open streams count as use.',
  },
  SESSION_LIFETIME_HOURS: {
    schema: { type: 'integer', minimum: 1, maximum: 8_760, default: 168 },
    meaning: 'Hours until the session of a browser ends, however much it is used.',
  },
} as const satisfies Settings
