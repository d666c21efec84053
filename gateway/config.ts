import {
  type Env,
  isLoopback,
  missing,
  publicHostFaults,
  readEnv,
} from '../subgraphs/shared/env.ts'
import { outboundAllow } from '../subgraphs/shared/outbound/outbound-allow.ts'
import type { Variables } from '../subgraphs/shared/variables.ts'

/** What the front that clients talk to needs, whichever way the subgraphs are reached. */
export interface FrontConfig {
  host: string
  /** 0 takes any free port. */
  port: number
  /** Where the REST interfaces live; without a slash at the end. */
  apiRootPath: string
  logLevel: string
}

/** Everything in one process. */
export interface AllInOneConfig extends FrontConfig {
  dataDir: string
  /** The embedded database is used when there is none. */
  database: { url: string; secretsKey: string; callbackSigningSecret: string } | null
  /** Pub/sub goes through the database when there is none. */
  natsUrl: string | undefined
  examples: boolean
  events: { strict: boolean; retentionDays: number }
  workerSlots: number
  sandbox: 'strict' | 'best-effort'
  /** Networks that callbacks may reach besides public addresses. */
  outboundAllow: readonly string[]
}

/** The gateway alone, with its subgraphs elsewhere. */
export interface GatewayConfig extends FrontConfig {
  testExecutionUrl: string
  eventsUrl: string
  internalSecret: string
}

const FRONT = ['HOST', 'PORT', 'API_ROOT_PATH', 'LOG_LEVEL', 'AUTH_MODE'] as const

/** @throws ConfigError that lists every fault */
export function allInOneConfig(env: Env): AllInOneConfig {
  const values = readEnv(
    env,
    [
      ...FRONT,
      'DATA_DIR',
      'DATABASE_URL',
      'NATS_URL',
      'SECRETS_KEY',
      'CALLBACK_SIGNING_SECRET',
      'OUTBOUND_ALLOW',
      'EXAMPLES',
      'EVENTS_STRICT',
      'RAW_EVENTS_RETENTION_DAYS',
      'WORKER_SLOTS',
      'SANDBOX',
    ],
    (given) => [
      ...publicHostFaults(given),
      ...(given.DATABASE_URL
        ? missing(given, ['SECRETS_KEY', 'CALLBACK_SIGNING_SECRET'], 'with DATABASE_URL')
        : []),
    ],
  )
  const {
    DATABASE_URL: url,
    SECRETS_KEY: secretsKey,
    CALLBACK_SIGNING_SECRET: callbackSigningSecret,
  } = values
  return {
    ...frontOf(values),
    dataDir: values.DATA_DIR,
    database:
      url && secretsKey && callbackSigningSecret
        ? { url, secretsKey, callbackSigningSecret }
        : null,
    natsUrl: values.NATS_URL,
    examples: values.EXAMPLES,
    events: {
      strict: values.EVENTS_STRICT,
      retentionDays: values.RAW_EVENTS_RETENTION_DAYS,
    },
    workerSlots: values.WORKER_SLOTS,
    sandbox: values.SANDBOX ?? (isLoopback(values.HOST) ? 'best-effort' : 'strict'),
    outboundAllow: outboundAllow(values.OUTBOUND_ALLOW, values.HOST),
  }
}

/** @throws ConfigError that lists every fault */
export function gatewayConfig(env: Env): GatewayConfig {
  const values = readEnv(
    env,
    [...FRONT, 'TEST_EXECUTION_URL', 'EVENTS_URL', 'INTERNAL_SECRET'],
    (given) => [
      ...publicHostFaults(given),
      ...missing(given, ['INTERNAL_SECRET'], 'to sign what the subgraphs are asked'),
    ],
  )
  return {
    ...frontOf(values),
    testExecutionUrl: values.TEST_EXECUTION_URL,
    eventsUrl: values.EVENTS_URL,
    internalSecret: values.INTERNAL_SECRET ?? '',
  }
}

const frontOf = ({
  HOST,
  PORT,
  API_ROOT_PATH,
  LOG_LEVEL,
}: Pick<Variables, (typeof FRONT)[number]>): FrontConfig => ({
  host: HOST,
  port: PORT,
  apiRootPath: API_ROOT_PATH.replace(/\/$/, ''),
  logLevel: LOG_LEVEL,
})
