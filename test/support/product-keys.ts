import { randomBytes } from 'node:crypto'

/** Keys that a product needs beside `DATABASE_URL`: new ones each time. */
export const productKeys = () => ({
  SECRETS_KEY: randomBytes(32).toString('base64'),
  CALLBACK_SIGNING_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
})
