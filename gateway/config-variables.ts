import { FIRST_ADMIN_VARIABLES } from '../platform/access/first-admin.ts'
import { SESSION_VARIABLES } from '../platform/access/session-lifetimes.ts'
import { WORKER_VARIABLES } from '../platform/process/worker-settings.ts'
import { EVENTS_VARIABLES } from '../platform/settings/events-settings.ts'
import { SMTP_VARIABLES } from '../platform/settings/smtp.ts'
import { RECEIVER_VARIABLES } from '../rest-bridge/receivers/receiver.ts'
import { HTTP_LIMITS } from './http/http-limits.ts'
import { INGESTION_VARIABLES } from './http/rest/ingestion-limits.ts'
import { STREAM_VARIABLES } from './http/stream-settings.ts'
import { TLS_VARIABLES } from './http/tls.ts'
import { MCP_VARIABLES } from './mcp/settings.ts'
import { OPERATION_LIMITS } from './operations/operation-limits.ts'
import { OPERATION_RATES } from './operations/operation-rates.ts'
import { SIGN_IN_VARIABLES } from './sign-in/settings.ts'

/** Variables of a gateway in front of any supergraph. */
export const BARE_FRONT = [
  'HOST',
  'PORT',
  'PROCESSES',
  'DATA_DIR',
  'LOG_LEVEL',
  'ACCESS_LOG',
  'CORS_ORIGINS',
  ...SIGN_IN_VARIABLES,
  'PLAN_CACHE_SIZE',
  'INTROSPECTION',
  'QUERY_PLANS',
  'APQ',
  'TRUSTED_DOCUMENTS',
  'TRUSTED_DOCUMENTS_ONLY',
  'TRUSTED_DOCUMENTS_TOKEN',
  'TRUSTED_DOCUMENTS_POLL_SECONDS',
  ...OPERATION_LIMITS,
  ...OPERATION_RATES,
  ...MCP_VARIABLES,
  ...HTTP_LIMITS,
  ...TLS_VARIABLES,
  ...STREAM_VARIABLES,
] as const

/** Variables of every gateway of Assay. */
export const FRONT = [
  ...BARE_FRONT,
  'API_ROOT_PATH',
  'UI',
  ...INGESTION_VARIABLES,
  ...RECEIVER_VARIABLES,
] as const

/** Variables of one process with everything in it. */
export const ALL_IN_ONE_VARIABLES = [
  ...FRONT,
  ...FIRST_ADMIN_VARIABLES,
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'DATABASE_POOL_SIZE',
  'NATS_URL',
  'SECRETS_KEY',
  'SECRETS_KEY_PREVIOUS',
  'CALLBACK_SIGNING_SECRET',
  'OUTBOUND_ALLOW',
  'OUTBOUND_PROXY',
  'EXAMPLES',
  ...EVENTS_VARIABLES,
  ...SMTP_VARIABLES,
  'EXECUTIONS_QUEUE',
  'SCHEDULES',
  'SCHEDULES_SHARE',
  'OPEN_CALLBACKS_PER_MINUTE',
  'IMPORT_SCENARIOS',
  'IMPORT_STEPS',
  'AUDIT_RETENTION_DAYS',
  'API_TOKEN_DAYS',
  ...SESSION_VARIABLES,
  ...WORKER_VARIABLES,
] as const

/** Variables of a gateway whose subgraphs run elsewhere. */
export const GATEWAY_VARIABLES = [
  ...FRONT,
  'TEST_EXECUTION_URL',
  'EVENTS_URL',
  'ACCOUNTS_URL',
  'INTERNAL_SECRET',
] as const

/** Variables of a gateway in front of a supergraph of others. */
export const SUPERGRAPH_VARIABLES = [
  ...BARE_FRONT,
  'GATEWAY_CONFIG',
  'SUPERGRAPH',
  'SUPERGRAPH_TOKEN',
  'SUPERGRAPH_POLL_SECONDS',
  'FORWARD_HEADERS',
] as const
