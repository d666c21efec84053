import type { Settings } from './setting.ts'

/** Enough for one installation with accounts of its own. */
export const EVERYDAY = {
  HOST: {
    schema: { type: 'string', format: 'host', default: '127.0.0.1' },
    meaning: 'Address to listen on. Beyond loopback, `AUTH_MODE` must be set.',
  },
  PORT: {
    schema: { type: 'integer', minimum: 0, maximum: 65_535, default: 4000 },
    meaning:
      'Port to listen on; 0 takes any free one. Stand-alone subgraphs default to 4001, 4002 and 4003.',
  },
  AUTH_MODE: {
    schema: { type: 'string', enum: ['none', 'users', 'proxy', 'oidc'] },
    absent: '`none` on loopback',
    meaning:
      '`none`: every caller may do everything. `users`: accounts kept here. `proxy`: a server in front names the user. `oidc`: tokens of an issuer. See [sign-in](../how-to/sign-in.md).',
  },
  ADMIN_PASSWORD: {
    schema: { type: 'string', minLength: 12, maxLength: 256 },
    isSecret: true,
    absent: 'generated, printed once',
    meaning: 'Password of the first administrator, used while there is no account.',
  },
  DATA_DIR: {
    schema: { type: 'string', default: '.data' },
    meaning: 'Folder of the embedded database and the generated keys.',
  },
  DATABASE_URL: {
    schema: { type: 'string', format: 'postgres-url' },
    isSecret: true,
    absent: 'the embedded database',
    meaning:
      'A PostgreSQL server from version 15, used instead of the embedded one. Of several servers (`postgres://user:password@one:5432,two:5432/assay`) the one that takes writes is used.',
  },
  SECRETS_KEY: {
    schema: { type: 'string', format: 'key-32-bytes' },
    isSecret: true,
    absent: 'generated',
    meaning: '32 bytes in Base64 that encrypt stored secrets. Required with `DATABASE_URL`.',
  },
  CALLBACK_SIGNING_SECRET: {
    schema: { type: 'string', format: 'webhook-secret' },
    isSecret: true,
    absent: 'generated',
    meaning:
      '`whsec_` and at least 24 bytes in Base64 that sign callbacks. Required with `DATABASE_URL`.',
  },
  CORS_ORIGINS: {
    schema: { type: 'string', format: 'origin-list', default: '' },
    absent: 'none',
    meaning:
      'Origins whose pages may call REST and GraphQL from a browser, with commas, such as `https://portal.example`; or `*`.',
  },
  EXAMPLES: {
    schema: { type: 'boolean', default: true },
    meaning: 'Whether the [examples](../../examples) are loaded into an empty store.',
  },
  WORKER_SLOTS: {
    schema: { type: 'integer', minimum: 1, maximum: 256, default: 4 },
    meaning: 'Maximum number of executions that a worker runs at the same time.',
  },
  LOG_LEVEL: {
    schema: { type: 'string', enum: ['trace', 'debug', 'info', 'warn', 'error'], default: 'info' },
    meaning: 'Least severity that is logged.',
  },
} as const satisfies Settings
