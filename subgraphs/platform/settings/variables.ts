import type { Role } from '../access/permissions.ts'
import { EVERYDAY } from './everyday.ts'
import { LIMITS } from './limits.ts'
import { OPERATORS } from './operators.ts'
import type { Setting } from './setting.ts'

/** How callers become known: not at all, by accounts of our own, by a server in front, or by tokens of an issuer. */
export type AuthMode = 'none' | 'users' | 'proxy' | 'oidc'

/** Every environment variable that any process reads. */
export interface Variables {
  HOST: string
  PORT: number
  API_ROOT_PATH: string
  UI: boolean
  PROCESSES: string
  SHUTDOWN_DELAY_SECONDS: number
  TLS_CERT_FILE?: string
  TLS_KEY_FILE?: string
  CORS_ORIGINS: string
  DATA_DIR: string
  DATABASE_URL?: string
  DATABASE_DIRECT_URL?: string
  DATABASE_READ_URL?: string
  DATABASE_POOL_SIZE: number
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
  OIDC_CLIENT_ID?: string
  OIDC_CLIENT_SECRET?: string
  OIDC_SCOPES: string
  OIDC_REDIRECT_ORIGIN?: string
  ROLE_MAP: string
  DEFAULT_ROLE?: Role
  API_TOKEN_DAYS: number
  SESSION_IDLE_MINUTES: number
  SESSION_LIFETIME_HOURS: number
  SIGN_IN_RECHECK_SECONDS: number
  SIGN_IN_GRACE_SECONDS: number
  EXAMPLES: boolean
  EVENTS_STRICT: boolean
  RAW_EVENTS_RETENTION_DAYS: number
  EVENTS_RETENTION_DAYS: number
  STATUS_CHANGES_RETENTION_DAYS: number
  AUDIT_RETENTION_DAYS: number
  DETAILS_RETENTION_DAYS: number
  DETAILS_RETENTION_SCHEDULE: string
  EXECUTIONS_QUEUE: number
  DETAILS_RETENTION_BATCH: number
  EVENTS_BODY_BYTES: number
  EVENTS_CALL_EVENTS: number
  IMPORT_BODY_BYTES: number
  IMPORT_EVENTS: number
  IMPORT_SCENARIOS: number
  IMPORT_STEPS: number
  EVENTS_QUEUE_EVENTS: number
  EVENTS_QUEUE_REQUESTS: number
  EVENTS_QUEUE_BYTES: number
  EVENTS_SEARCH_LAG: number
  EVENTS_QUERY_TIMEOUT_MS: number
  PAGE_BYTES: number
  EVENTS_PER_MINUTE?: number
  LOG_LEVEL: string
  ACCESS_LOG: number
  OTEL_EXPORTER_OTLP_ENDPOINT?: string
  OTEL_EXPORTER_OTLP_HEADERS?: string
  OTEL_SERVICE_NAME?: string
  OTEL_TRACES_SAMPLER_ARG: number
  METRICS_HOST: string
  METRICS_PORT?: number
  WORKER_SLOTS: number
  EVALUATION_MS: number
  SANDBOX?: 'strict' | 'best-effort'
  SANDBOX_READY: number
  SANDBOX_REUSE: 'on' | 'off'
  COMMAND_STEPS?: 'on' | 'off'
  COMMAND_PROCESSES: number
  COMMAND_MEMORY_MIB: number
  ATTACHMENT_BYTES: number
  ATTACHMENTS_BYTES: number
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
  HTTP_MAX_QUERIES: number
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
  SUBGRAPH_PIPELINING: string
  PLAN_CACHE_SIZE: number
  SUBSCRIPTION_BUFFER_BYTES: number
  SUBSCRIPTION_STALL_MS: number
  SUBSCRIPTION_KEEP_ALIVE_MS: number
  CONNECTION_INIT_TIMEOUT_MS: number
}

/** When details of executions are deleted. */
export const RETENTION_VARIABLES = [
  'DETAILS_RETENTION_DAYS',
  'DETAILS_RETENTION_SCHEDULE',
  'DETAILS_RETENTION_BATCH',
] as const

export type RetentionSettings = Pick<Variables, (typeof RETENTION_VARIABLES)[number]>

/** By reader: every installation, operators who serve others, and those who move a limit. */
export const TIERS = { everyday: EVERYDAY, operators: OPERATORS, limits: LIMITS } as const

/** Every setting by its name. */
export const VARIABLES: Readonly<Record<keyof Variables, Setting>> = {
  ...EVERYDAY,
  ...OPERATORS,
  ...LIMITS,
}
