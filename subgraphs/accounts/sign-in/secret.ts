import { randomBytes } from 'node:crypto'
import { hashOfSecret } from '../../../platform/access/secret-hash.ts'

const PREFIX = { apiToken: 'assay_', session: 'assays_', browser: 'assayb_' } as const

/** Secrets that we make: 32 random bytes, with a prefix that scanners for leaked secrets can look for. */
export const newSecret = (kind: keyof typeof PREFIX): string =>
  PREFIX[kind] + randomBytes(32).toString('base64url')

export const isApiToken = (text: string): boolean => text.startsWith(PREFIX.apiToken)
export const isSession = (text: string): boolean => text.startsWith(PREFIX.session)

/** Names a password by its stored hash. The salt stays here, so that no guess can be compared with the name. */
export const passwordIdOf = (passwordHash: string): string => hashOfSecret(passwordHash)
