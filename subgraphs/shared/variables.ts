import { isCidrList } from './outbound/cidr.ts'

/** Every environment variable that any process reads. */
export interface Variables {
  HOST: string
  PORT: number
  API_ROOT_PATH: string
  DATA_DIR: string
  DATABASE_URL?: string
  NATS_URL?: string
  AUTH_MODE?: 'none'
  EXAMPLES: boolean
  EVENTS_STRICT: boolean
  RAW_EVENTS_RETENTION_DAYS: number
  LOG_LEVEL: string
  WORKER_SLOTS: number
  SANDBOX?: 'strict' | 'best-effort'
  SECRETS_KEY?: string
  INTERNAL_SECRET?: string
  CALLBACK_SIGNING_SECRET?: string
  OUTBOUND_ALLOW?: string
  TEST_EXECUTION_URL: string
  EVENTS_URL: string
}

/** Their JSON Schemas. Defaults stand here and nowhere else. */
export const VARIABLES: Readonly<Record<keyof Variables, object>> = {
  HOST: { type: 'string', default: '127.0.0.1' },
  PORT: { type: 'integer', minimum: 0, maximum: 65_535, default: 4000 },
  API_ROOT_PATH: { type: 'string', format: 'path', default: '/api' },
  DATA_DIR: { type: 'string', default: '.data' },
  DATABASE_URL: { type: 'string', format: 'postgres-url' },
  NATS_URL: { type: 'string', format: 'nats-url' },
  AUTH_MODE: { type: 'string', enum: ['none'] },
  EXAMPLES: { type: 'boolean', default: true },
  EVENTS_STRICT: { type: 'boolean', default: false },
  RAW_EVENTS_RETENTION_DAYS: { type: 'integer', minimum: 1, maximum: 36_500, default: 30 },
  LOG_LEVEL: { type: 'string', enum: ['trace', 'debug', 'info', 'warn', 'error'], default: 'info' },
  WORKER_SLOTS: { type: 'integer', minimum: 1, maximum: 256, default: 4 },
  SANDBOX: { type: 'string', enum: ['strict', 'best-effort'] },
  SECRETS_KEY: { type: 'string', format: 'key-32-bytes' },
  INTERNAL_SECRET: { type: 'string', minLength: 32 },
  CALLBACK_SIGNING_SECRET: { type: 'string', format: 'webhook-secret' },
  OUTBOUND_ALLOW: { type: 'string', format: 'cidr-list' },
  TEST_EXECUTION_URL: {
    type: 'string',
    format: 'http-url',
    default: 'http://127.0.0.1:4001/graphql',
  },
  EVENTS_URL: { type: 'string', format: 'http-url', default: 'http://127.0.0.1:4002/graphql' },
}

/** What the values of some variables look like, and how to say so. */
export const FORMATS: Readonly<Record<string, { test(text: string): boolean; hint: string }>> = {
  path: {
    test: (text) =>
      /^(\/[\w.~-]+)*\/?$/.test(text) && !/^\/(graphql|healthz|readyz|metrics)(\/|$)/.test(text),
    hint: 'a path such as /api, and none that is served already',
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
  'cidr-list': {
    test: isCidrList,
    hint: 'networks with commas between them, such as 10.0.0.0/8,192.168.0.0/16',
  },
}
