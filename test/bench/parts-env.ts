import { randomBytes } from 'node:crypto'
import { productKeys } from '../support/product-keys.ts'

/** The environment that a process for each part needs. @param url of the database */
export const partsEnv = (url: string): Record<string, string> => ({
  PORT: '0',
  LOG_LEVEL: 'info',
  SANDBOX: 'best-effort',
  DATABASE_URL: url,
  ...productKeys(),
  INTERNAL_SECRET: randomBytes(32).toString('base64'),
})
