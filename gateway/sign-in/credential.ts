import { AppError } from '../../schema/errors.ts'
import type { Credential } from '../../subgraphs/shared/access/identity.ts'

/** Names of headers, or of what opens a GraphQL connection, in lower case. */
export type Given = Readonly<Record<string, unknown>>

/**
 * What somebody brings to sign in: of several, `token` wins over Bearer, and that over Basic.
 * @returns null where there is nothing of the kind
 * @throws AppError UNAUTHENTICATED for what cannot be read
 */
export function credentialOf({ token, authorization }: Given): Credential | null {
  if (token !== undefined) return { kind: 'token', token: String(token).trim() }
  if (authorization === undefined) return null
  const [, scheme = '', value = ''] = /^(\S+)\s*(.*)$/.exec(String(authorization).trim()) ?? []
  if (scheme.toLowerCase() === 'bearer' && value) return { kind: 'token', token: value }
  if (scheme.toLowerCase() === 'basic') return basicOf(value)
  throw new AppError('UNAUTHENTICATED', 'Authorization: expected Bearer or Basic')
}

function basicOf(value: string): Credential {
  const text = Buffer.from(value, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0 || text.includes('\0'))
    throw new AppError('UNAUTHENTICATED', 'Authorization: expected the Base64 of <user>:<password>')
  return { kind: 'basic', user: text.slice(0, colon), password: text.slice(colon + 1) }
}
