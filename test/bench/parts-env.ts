import { randomBytes } from 'node:crypto'

/** The environment that a process for each part needs. @param url of the database */
export const partsEnv = (url: string): Record<string, string> => ({
  PORT: '0',
  LOG_LEVEL: 'info',
  SANDBOX: 'best-effort',
  DATABASE_URL: url,
  SECRETS_KEY: randomBytes(32).toString('base64'),
  CALLBACK_SIGNING_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  INTERNAL_SECRET: randomBytes(32).toString('base64'),
})
