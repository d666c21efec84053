import { availableParallelism } from 'node:os'
import { firstAdminFrom } from '../platform/access/first-admin.ts'
import { sessionLifetimes } from '../platform/access/session-lifetimes.ts'
import { outboundAllow } from '../platform/outbound/outbound-allow.ts'
import { workerSettings } from '../platform/process/worker-settings.ts'
import { type EffectiveSetting, effectiveSettings } from '../platform/settings/effective.ts'
import { embeddedFaults } from '../platform/settings/embedded-faults.ts'
import {
  ConfigError,
  type Env,
  isLoopback,
  missing,
  publicHostFaults,
  readEnv,
} from '../platform/settings/env.ts'
import { eventsSettings } from '../platform/settings/events-settings.ts'
import { originsOf } from '../platform/settings/formats.ts'
import { secretPaths } from '../platform/settings/secret-paths.ts'
import { smtpFaults, smtpSettings } from '../platform/settings/smtp.ts'
import type { Variables } from '../platform/settings/variables.ts'
import { RECEIVER_VARIABLES, type ReceiverSecret } from '../rest-bridge/receivers/receiver.ts'
import {
  ALL_IN_ONE_VARIABLES,
  type BARE_FRONT,
  type FRONT,
  GATEWAY_VARIABLES,
  SUPERGRAPH_VARIABLES,
} from './config-variables.ts'
import { httpLimitFaults, httpLimitsOf } from './http/http-limits.ts'
import { ingestionLimitsOf } from './http/rest/ingestion-limits.ts'
import { streamSettings } from './http/stream-settings.ts'
import { tlsFaults, tlsFilesOf } from './http/tls.ts'
import { foreignMcpFaults, mcpSettings } from './mcp/settings.ts'
import { trustedDocumentFaults } from './operations/trusted-documents.ts'
import { readSettingsFile } from './settings-file/read-settings-file.ts'
import { signInFaults, signInIgnored, signInSettings } from './sign-in/settings.ts'

/** Settings of the front that clients talk to, whichever way the subgraphs are reached. */
export type FrontConfig = ReturnType<typeof frontOf> & {
  /** All that this process has read, for administrators. */
  settings: readonly EffectiveSetting[]
}

/** Everything in one process. */
export type AllInOneConfig = ReturnType<typeof allInOneConfig>

/** The gateway alone, with its subgraphs elsewhere. */
export type GatewayConfig = ReturnType<typeof gatewayConfig>

/** The gateway alone, in front of a supergraph of others. */
export type SupergraphConfig = NonNullable<ReturnType<typeof supergraphConfig>>

const frontFaults = (given: Pick<Variables, (typeof BARE_FRONT)[number]>): string[] => [
  ...publicHostFaults(given),
  ...httpLimitFaults(given),
  ...tlsFaults(given),
  ...signInFaults(given),
  ...trustedDocumentFaults(given),
]

/** @throws ConfigError that lists every fault */
export function allInOneConfig(env: Env) {
  const values = readEnv(env, ALL_IN_ONE_VARIABLES, (given) => [
    ...frontFaults(given),
    ...(given.DATABASE_URL
      ? missing(given, ['SECRETS_KEY', 'CALLBACK_SIGNING_SECRET'], 'with DATABASE_URL')
      : []),
    ...smtpFaults(given),
  ])
  const {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: directUrl,
    DATABASE_READ_URL: readUrl,
    SECRETS_KEY: secretsKey,
    SECRETS_KEY_PREVIOUS: previousSecretsKey,
    CALLBACK_SIGNING_SECRET: callbackSigningSecret,
  } = values
  return {
    ...frontOf(values),
    settings: effectiveSettings(values, ALL_IN_ONE_VARIABLES),
    ignored: [...signInIgnored(values), ...embeddedFaults(values)],
    dataDir: values.DATA_DIR,
    /** The embedded database is used when there is none. */
    database:
      url && secretsKey && callbackSigningSecret
        ? { url, directUrl, readUrl, secretsKey, previousSecretsKey, callbackSigningSecret }
        : null,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    /** Pub/sub goes through the database when there is none. */
    natsUrl: values.NATS_URL,
    examples: values.EXAMPLES,
    events: eventsSettings(values),
    smtp: smtpSettings(values),
    /** Executions that may wait for a worker. */
    executionsQueue: values.EXECUTIONS_QUEUE,
    schedules: {
      isOn: values.SCHEDULES === 'on',
      share: values.SCHEDULES_SHARE,
      needsSignIn: (values.AUTH_MODE ?? 'none') !== 'none',
    },
    openCallbacksPerMinute: values.OPEN_CALLBACKS_PER_MINUTE,
    /** Limits of one imported execution. */
    imports: { scenarios: values.IMPORT_SCENARIOS, steps: values.IMPORT_STEPS },
    accounts: {
      firstAdmin: firstAdminFrom(values),
      auditRetentionDays: values.AUDIT_RETENTION_DAYS,
      apiTokenDays: values.API_TOKEN_DAYS,
      sessions: sessionLifetimes(values),
    },
    /** Time limit of evaluations for one request or step. */
    evaluationMs: values.EVALUATION_MS,
    worker: workerSettings(values),
    /** Files and folders that programs of `command` steps do not see. */
    secretPaths: secretPaths(env, values.DATA_DIR),
    sandbox: values.SANDBOX ?? (isLoopback(values.HOST) ? 'best-effort' : 'strict'),
    /** True if scenarios may start programs. */
    commandSteps: commandSteps(values),
    /** Networks that callbacks may reach besides public addresses. */
    outboundAllow: outboundAllow(values.OUTBOUND_ALLOW, values.HOST),
    outboundProxy: values.OUTBOUND_PROXY,
  }
}

/** By default programs run only where callers are on this machine: without sign-in, on loopback. */
const commandSteps = ({
  COMMAND_STEPS,
  AUTH_MODE = 'none',
  HOST,
}: Pick<Variables, 'COMMAND_STEPS' | 'AUTH_MODE' | 'HOST'>): boolean =>
  COMMAND_STEPS ? COMMAND_STEPS === 'on' : AUTH_MODE === 'none' && isLoopback(HOST)

/** @throws ConfigError that lists every fault */
export function gatewayConfig(env: Env) {
  const values = readEnv(env, GATEWAY_VARIABLES, (given) => [
    ...frontFaults(given),
    ...missing(given, ['INTERNAL_SECRET'], 'to sign what the subgraphs are asked'),
  ])
  return {
    ...frontOf(values),
    settings: effectiveSettings(values, GATEWAY_VARIABLES),
    testExecutionUrl: values.TEST_EXECUTION_URL,
    eventsUrl: values.EVENTS_URL,
    accountsUrl: values.ACCOUNTS_URL,
    internalSecret: values.INTERNAL_SECRET ?? '',
  }
}

/** @returns undefined where no SUPERGRAPH is named @throws ConfigError that lists every fault */
export function supergraphConfig(processEnv: Env) {
  if (!processEnv.SUPERGRAPH && !processEnv.GATEWAY_CONFIG) return undefined
  const { env, file, faults } = withSettingsFile(processEnv)
  const values = readEnv(env, SUPERGRAPH_VARIABLES, (given) => [
    ...faults,
    ...(given.SUPERGRAPH || faults.length > 0
      ? []
      : ['SUPERGRAPH must be set, or supergraph in the file of GATEWAY_CONFIG']),
    ...frontFaults(given),
    ...foreignMcpFaults(given),
    ...(given.AUTH_MODE === 'users' || given.AUTH_MODE === 'proxy'
      ? [
          'AUTH_MODE must be none or oidc with SUPERGRAPH: no accounts are kept there. With oidc, claims of verified tokens can become headers; else subgraphs decide by the headers that they get',
        ]
      : []),
  ])
  return {
    ...bareFrontOf(values),
    signIn: { ...signInSettings(values), keepsClaims: true },
    /** The supergraph's file; it names the addresses of the subgraphs. */
    file: values.SUPERGRAPH ?? '',
    remote: {
      token: values.SUPERGRAPH_TOKEN,
      folder: values.DATA_DIR,
      pollMs: values.SUPERGRAPH_POLL_SECONDS * 1_000,
    },
    /** The file of further settings, and how to read it again. */
    settingsFile: file ? { path: file, read: () => readSettingsFile(file, processEnv) } : undefined,
    /** Headers of clients that the subgraphs get, in lower case. */
    forwardHeaders: values.FORWARD_HEADERS.toLowerCase().split(/, */).filter(Boolean),
  }
}

/** The environment over what the file of settings holds of it. */
function withSettingsFile(env: Env): { env: Env; file?: string; faults: readonly string[] } {
  const { GATEWAY_CONFIG: file } = env
  if (!file) return { env, faults: [] }
  try {
    const set = Object.entries(env).filter(([, value]) => value)
    return {
      env: { ...readSettingsFile(file, env).env, ...Object.fromEntries(set) },
      file,
      faults: [],
    }
  } catch (error) {
    if (error instanceof ConfigError) return { env, file, faults: error.faults }
    throw error
  }
}

/** Settings of a front before any supergraph. */
const bareFrontOf = (values: Pick<Variables, (typeof BARE_FRONT)[number]>) => ({
  /** Settings without effect, in words for the log. */
  ignored: signInIgnored(values),
  host: values.HOST,
  /** Number of processes that serve. */
  processes: values.PROCESSES === 'auto' ? availableParallelism() : Number(values.PROCESSES),
  /** 0 takes any free port. */
  port: values.PORT,
  logLevel: values.LOG_LEVEL,
  /** Part of the requests that are logged, from 0 to 1. */
  accessLog: values.ACCESS_LOG,
  /** Origins whose pages may call from a browser; `*` stands for all. */
  corsOrigins: originsOf(values.CORS_ORIGINS),
  /** Operations that are kept planned. */
  planCacheSize: values.PLAN_CACHE_SIZE,
  /** Ways to reach a field that the planner looks at. */
  maxPaths: values.OPERATION_MAX_PATHS,
  /** Time limit of planning one operation. */
  planMs: values.OPERATION_PLAN_MS,
  http: httpLimitsOf(values),
  /** Without them the server speaks plain HTTP. */
  tls: tlsFilesOf(values),
  /** Rules for operations of clients. */
  rules: {
    limits: values,
    introspection: values.INTROSPECTION,
    queryPlans: values.QUERY_PLANS,
    automaticDocuments: values.APQ,
    trustedDocuments: values.TRUSTED_DOCUMENTS,
    remoteDocuments: {
      token: values.TRUSTED_DOCUMENTS_TOKEN,
      folder: values.DATA_DIR,
      pollMs: values.TRUSTED_DOCUMENTS_POLL_SECONDS * 1_000,
    },
    trustedOnly: values.TRUSTED_DOCUMENTS_ONLY,
  },
  /** Tools for assistants. */
  mcp: mcpSettings(values),
  streams: streamSettings(values),
  /** Settings of the sign-in. */
  signIn: signInSettings(values),
})

const receiverSecretsOf = (values: Pick<Variables, ReceiverSecret>) =>
  Object.fromEntries(RECEIVER_VARIABLES.map((name) => [name, values[name]])) as Partial<
    Record<ReceiverSecret, string>
  > // of these names

const frontOf = (values: Pick<Variables, (typeof FRONT)[number]>) => ({
  ...bareFrontOf(values),
  /** Root of the REST interfaces; without a slash at the end. */
  apiRootPath: values.API_ROOT_PATH.replace(/\/$/, ''),
  /** True if the web client is served. */
  ui: values.UI,
  ingestion: ingestionLimitsOf(values),
  /** Secrets of receivers; where one is absent, its senders sign in. */
  receiverSecrets: receiverSecretsOf(values),
})
