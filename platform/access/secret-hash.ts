import { hash } from 'node:crypto'

/** Stored form of a secret. A secret of 32 random bytes needs no slow hash, and is looked up by its hash: nothing is compared. */
export const hashOfSecret = (secret: string): string => hash('sha256', secret, 'base64url')
