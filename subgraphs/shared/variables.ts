import { isIP } from 'node:net'
import { isRole, ROLE_NAMES, type Role } from './access/permissions.ts'
import { isCidrList, splitList } from './outbound/cidr.ts'

/** How callers become known: not at all, by accounts of our own, by a server in front, or by tokens of an issuer. */
export type AuthMode = 'none' | 'users' | 'proxy' | 'oidc'

/** Every environment variable that any process reads. */
export interface Variables {
  HOST: string
  PORT: number
  API_ROOT_PATH: string
  CORS_ORIGINS: string
  DATA_DIR: string
  DATABASE_URL?: string
  NATS_URL?: string
  AUTH_MODE?: AuthMode
  ALLOWED_HOSTS: string
  ADMIN_EMAIL: string
  ADMIN_PASSWORD?: string
  PROXY_ADDRESSES?: string
  PROXY_USER_HEADER: string
  PROXY_ROLES_HEADER: string
  OIDC_ISSUER?: string
  OIDC_AUDIENCE?: string
  OIDC_JWKS_URL?: string
  OIDC_USER_CLAIM: string
  OIDC_ROLES_CLAIM: string
  ROLE_MAP: string
  DEFAULT_ROLE?: Role
  API_TOKEN_DAYS: number
  SIGN_IN_RECHECK_SECONDS: number
  SIGN_IN_GRACE_SECONDS: number
  EXAMPLES: boolean
  EVENTS_STRICT: boolean
  RAW_EVENTS_RETENTION_DAYS: number
  AUDIT_RETENTION_DAYS: number
  DETAILS_RETENTION_DAYS: number
  DETAILS_RETENTION_SCHEDULE: string
  DETAILS_RETENTION_BATCH: number
  EVENTS_BODY_BYTES: number
  EVENTS_CALL_EVENTS: number
  EVENTS_QUEUE_EVENTS: number
  EVENTS_QUEUE_BYTES: number
  EVENTS_QUERY_TIMEOUT_MS: number
  EVENTS_PAGE_BYTES: number
  EVENTS_PER_MINUTE?: number
  LOG_LEVEL: string
  WORKER_SLOTS: number
  EVALUATION_MS: number
  SANDBOX?: 'strict' | 'best-effort'
  SANDBOX_READY: number
  COMMAND_STEPS?: 'on' | 'off'
  COMMAND_PROCESSES: number
  COMMAND_MEMORY_MIB: number
  SECRETS_KEY?: string
  SECRETS_KEY_PREVIOUS?: string
  INTERNAL_SECRET?: string
  CALLBACK_SIGNING_SECRET?: string
  OUTBOUND_ALLOW?: string
  OPERATION_MAX_BYTES: number
  OPERATION_MAX_TOKENS: number
  OPERATION_MAX_DEPTH: number
  OPERATION_MAX_FIELDS: number
  OPERATION_MAX_ALIASES: number
  OPERATION_MAX_ROOT_FIELDS: number
  OPERATION_MAX_DIRECTIVES: number
  OPERATION_MAX_COST: number
  OPERATION_MAX_PATHS: number
  OPERATION_PLAN_MS: number
  HTTP_MAX_REQUESTS: number
  HTTP_MAX_CONNECTIONS: number
  HTTP_MAX_HEADER_BYTES: number
  HTTP_HEADERS_TIMEOUT_SECONDS: number
  HTTP_REQUEST_TIMEOUT_SECONDS: number
  INTROSPECTION: boolean
  APQ: boolean
  TRUSTED_DOCUMENTS?: string
  TRUSTED_DOCUMENTS_ONLY: boolean
  TEST_EXECUTION_URL: string
  EVENTS_URL: string
  ACCOUNTS_URL: string
  SUPERGRAPH?: string
  FORWARD_HEADERS: string
  PLAN_CACHE_SIZE: number
  SUBSCRIPTION_BUFFER_BYTES: number
  SUBSCRIPTION_STALL_MS: number
  SUBSCRIPTION_KEEP_ALIVE_MS: number
  CONNECTION_INIT_TIMEOUT_MS: number
}

const limit = (standard: number) => ({ type: 'integer', minimum: 1, default: standard })

/** When details of executions are deleted. */
export const RETENTION_VARIABLES = [
  'DETAILS_RETENTION_DAYS',
  'DETAILS_RETENTION_SCHEDULE',
  'DETAILS_RETENTION_BATCH',
] as const

export type RetentionSettings = Pick<Variables, (typeof RETENTION_VARIABLES)[number]>

/** Their JSON Schemas. Defaults stand here and nowhere else. */
export const VARIABLES: Readonly<Record<keyof Variables, object>> = {
  HOST: { type: 'string', format: 'host', default: '127.0.0.1' },
  PORT: { type: 'integer', minimum: 0, maximum: 65_535, default: 4000 },
  API_ROOT_PATH: { type: 'string', format: 'path', default: '/api' },
  CORS_ORIGINS: { type: 'string', format: 'origin-list', default: '' },
  DATA_DIR: { type: 'string', default: '.data' },
  DATABASE_URL: { type: 'string', format: 'postgres-url' },
  NATS_URL: { type: 'string', format: 'nats-url' },
  AUTH_MODE: { type: 'string', enum: ['none', 'users', 'proxy', 'oidc'] },
  ALLOWED_HOSTS: { type: 'string', format: 'host-list', default: '' },
  ADMIN_EMAIL: { type: 'string', format: 'email', default: 'admin@localhost' },
  ADMIN_PASSWORD: { type: 'string', minLength: 12, maxLength: 256 },
  PROXY_ADDRESSES: { type: 'string', format: 'cidr-list' },
  PROXY_USER_HEADER: { type: 'string', format: 'header', default: 'x-forwarded-user' },
  PROXY_ROLES_HEADER: { type: 'string', format: 'header', default: 'x-forwarded-groups' },
  OIDC_ISSUER: { type: 'string', format: 'http-url' },
  OIDC_AUDIENCE: { type: 'string' },
  OIDC_JWKS_URL: { type: 'string', format: 'http-url' },
  OIDC_USER_CLAIM: { type: 'string', default: 'preferred_username' },
  OIDC_ROLES_CLAIM: { type: 'string', default: 'roles' },
  ROLE_MAP: { type: 'string', format: 'role-map', default: '' },
  DEFAULT_ROLE: { type: 'string', enum: ROLE_NAMES },
  API_TOKEN_DAYS: { type: 'integer', minimum: 1, maximum: 36_500, default: 90 },
  // With the 15 s for which a sign-in counts as known, a revocation is noticed within a minute.
  SIGN_IN_RECHECK_SECONDS: { type: 'integer', minimum: 1, maximum: 30, default: 20 },
  SIGN_IN_GRACE_SECONDS: { type: 'integer', minimum: 2, maximum: 45, default: 40 },
  EXAMPLES: { type: 'boolean', default: true },
  EVENTS_STRICT: { type: 'boolean', default: false },
  EVENTS_BODY_BYTES: { type: 'integer', minimum: 1, maximum: 2 ** 28, default: 33_554_432 },
  EVENTS_CALL_EVENTS: { type: 'integer', minimum: 1, maximum: 10_000_000, default: 100_000 },
  EVENTS_QUEUE_EVENTS: { type: 'integer', minimum: 1, maximum: 10_000_000, default: 50_000 },
  EVENTS_QUEUE_BYTES: { type: 'integer', minimum: 1, maximum: 2 ** 33, default: 134_217_728 },
  EVENTS_QUERY_TIMEOUT_MS: { type: 'integer', minimum: 1, maximum: 25_000, default: 10_000 },
  EVENTS_PAGE_BYTES: { type: 'integer', minimum: 1, maximum: 2 ** 26, default: 2_097_152 },
  EVENTS_PER_MINUTE: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
  RAW_EVENTS_RETENTION_DAYS: { type: 'integer', minimum: 1, maximum: 36_500, default: 30 },
  AUDIT_RETENTION_DAYS: { type: 'integer', minimum: 1, maximum: 36_500, default: 365 },
  DETAILS_RETENTION_DAYS: { type: 'integer', minimum: 1, maximum: 36_500, default: 30 },
  DETAILS_RETENTION_SCHEDULE: { type: 'string', format: 'cron', default: '17 * * * *' },
  DETAILS_RETENTION_BATCH: { type: 'integer', minimum: 1, maximum: 10_000, default: 100 },
  LOG_LEVEL: { type: 'string', enum: ['trace', 'debug', 'info', 'warn', 'error'], default: 'info' },
  WORKER_SLOTS: { type: 'integer', minimum: 1, maximum: 256, default: 4 },
  EVALUATION_MS: { type: 'integer', minimum: 1, maximum: 60_000, default: 1_000 },
  SANDBOX: { type: 'string', enum: ['strict', 'best-effort'] },
  SANDBOX_READY: { type: 'integer', minimum: 0, maximum: 256, default: 4 },
  COMMAND_STEPS: { type: 'string', enum: ['on', 'off'] },
  COMMAND_PROCESSES: { type: 'integer', minimum: 16, maximum: 100_000, default: 1_024 },
  COMMAND_MEMORY_MIB: { type: 'integer', minimum: 16, maximum: 1_048_576, default: 4_096 },
  SECRETS_KEY: { type: 'string', format: 'key-32-bytes' },
  SECRETS_KEY_PREVIOUS: { type: 'string', format: 'key-32-bytes' },
  INTERNAL_SECRET: { type: 'string', minLength: 32 },
  CALLBACK_SIGNING_SECRET: { type: 'string', format: 'webhook-secret' },
  OUTBOUND_ALLOW: { type: 'string', format: 'cidr-list' },
  OPERATION_MAX_BYTES: limit(1024 * 1024),
  OPERATION_MAX_TOKENS: limit(15_000),
  OPERATION_MAX_DEPTH: limit(20),
  OPERATION_MAX_FIELDS: limit(5_000),
  OPERATION_MAX_ALIASES: limit(100),
  OPERATION_MAX_ROOT_FIELDS: limit(50),
  OPERATION_MAX_DIRECTIVES: limit(100),
  OPERATION_MAX_COST: limit(50_000),
  OPERATION_MAX_PATHS: limit(1_000),
  OPERATION_PLAN_MS: limit(2_000),
  HTTP_MAX_REQUESTS: limit(5_000),
  HTTP_MAX_CONNECTIONS: limit(10_000),
  HTTP_MAX_HEADER_BYTES: limit(16_384),
  HTTP_HEADERS_TIMEOUT_SECONDS: limit(15),
  HTTP_REQUEST_TIMEOUT_SECONDS: limit(300),
  INTROSPECTION: { type: 'boolean', default: true },
  APQ: { type: 'boolean', default: true },
  TRUSTED_DOCUMENTS: { type: 'string' },
  TRUSTED_DOCUMENTS_ONLY: { type: 'boolean', default: false },
  TEST_EXECUTION_URL: {
    type: 'string',
    format: 'http-url',
    default: 'http://127.0.0.1:4001/graphql',
  },
  EVENTS_URL: { type: 'string', format: 'http-url', default: 'http://127.0.0.1:4002/graphql' },
  ACCOUNTS_URL: { type: 'string', format: 'http-url', default: 'http://127.0.0.1:4003/graphql' },
  SUPERGRAPH: { type: 'string' },
  FORWARD_HEADERS: { type: 'string', format: 'header-list', default: '' },
  PLAN_CACHE_SIZE: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1_000 },
  SUBSCRIPTION_BUFFER_BYTES: { type: 'integer', minimum: 1, default: 1_048_576 },
  SUBSCRIPTION_STALL_MS: { type: 'integer', minimum: 1, default: 10_000 },
  SUBSCRIPTION_KEEP_ALIVE_MS: { type: 'integer', minimum: 1, maximum: 3_600_000, default: 12_000 },
  CONNECTION_INIT_TIMEOUT_MS: { type: 'integer', minimum: 1, maximum: 3_600_000, default: 3_000 },
}

/** What the values of some variables look like, and how to say so. */
export const FORMATS: Readonly<Record<string, { test(text: string): boolean; hint: string }>> = {
  host: { test: (text) => isHost(text), hint: 'an IP address or a host name' },
  'host-list': {
    test: (text) => splitList(text).every(isHost),
    hint: 'host names with commas between them, such as assay.example,ci.example',
  },
  path: {
    test: (text) =>
      /^(\/[\w.~-]+)*\/?$/.test(text) && !/^\/(graphql|healthz|readyz|metrics)(\/|$)/.test(text),
    hint: 'a path such as /api, and none that is served already',
  },
  'origin-list': {
    test: (text) => originsOf(text).every((each) => each === '*' || isOrigin(each)),
    hint: 'origins with commas between them, such as https://portal.example, or *',
  },
  'postgres-url': {
    test: (text) => /^postgres(ql)?:\/\/\S+$/.test(text),
    hint: 'an address such as postgres://user:password@host:5432/database',
  },
  'nats-url': {
    test: (text) => /^(nats|tls):\/\/[^\s/]+\/?$/.test(text) && URL.canParse(text),
    hint: 'an address such as nats://user:password@host:4222',
  },
  'http-url': {
    test: (text) => /^https?:\/\/\S+$/.test(text) && URL.canParse(text),
    hint: 'an address such as http://127.0.0.1:4001/graphql',
  },
  'key-32-bytes': {
    test: (text) => /^[A-Za-z0-9+/]{43}=?$/.test(text),
    hint: '32 bytes in Base64, as `openssl rand -base64 32` prints them',
  },
  'webhook-secret': {
    test: (text) => /^whsec_([A-Za-z0-9+/]{4}){8,}([A-Za-z0-9+/]{2,3}={1,2})?$/.test(text),
    hint: 'whsec_ and at least 24 bytes in Base64, as `echo whsec_$(openssl rand -base64 32)` prints them',
  },
  email: {
    test: (text) => /^[^\s:@]+@[^\s:@]+$/.test(text),
    hint: 'an e-mail address such as admin@example.com',
  },
  header: {
    test: (text) => /^[a-z0-9-]+$/i.test(text),
    hint: 'the name of a header, such as x-forwarded-user',
  },
  'role-map': {
    test: (text) => [...roleMapOf(text).values()].every(isRole),
    hint: `names with their roles and commas between them, such as qa-leads=editor,everyone=reader; roles are ${ROLE_NAMES.join(', ')}`,
  },
  'header-list': {
    test: (text) =>
      /^([a-z0-9-]+(, *[a-z0-9-]+)*)?$/i.test(text) &&
      !text.split(/, */).some((name) => NOT_FORWARDED.test(name)),
    hint: 'names with commas between them, such as authorization,accept-language, and none that belongs to a single connection or body',
  },
  cron: {
    test: (text) => /^([\d*,/-]+ ){4}[\d*,/-]+$/.test(text),
    hint: 'minute, hour, day, month and day of the week in UTC, such as 17 * * * *',
  },
  'cidr-list': {
    test: isCidrList,
    hint: 'networks with commas between them, such as 10.0.0.0/8,192.168.0.0/16',
  },
}

/** What belongs to a single connection or body, and what the gateway says itself. */
const NOT_FORWARDED =
  /^(host|connection|keep-alive|te|trailers?|upgrade|transfer-encoding|expect|http2-settings|(content|proxy|sec-websocket)-[a-z-]+|accept|accept-encoding|assay-caller)$/i

const isHost = (text: string): boolean =>
  isIP(text) > 0 || /^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i.test(text)

/** The origins that `CORS_ORIGINS` lists. */
export const originsOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && new URL(text).origin === text && !text.includes('*')

/** The roles that `ROLE_MAP` gives to names of groups or roles elsewhere. */
export const roleMapOf = (text: string): Map<string, string> =>
  new Map(
    text
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
      .map((each) => {
        const at = each.lastIndexOf('=')
        return [
          each.slice(0, at < 0 ? undefined : at).trim(),
          at < 0 ? '' : each.slice(at + 1).trim(),
        ]
      }),
  )
