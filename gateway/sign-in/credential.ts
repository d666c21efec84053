import { AppError } from '../../formats/errors.ts'
import type { Credential } from '../../platform/access/identity.ts'

/** Names of headers, or of what opens a GraphQL connection, in lower case. */
export type Given = Readonly<Record<string, unknown>>

/** As long as the headers of a request may be by default; a GraphQL connection may bring more. */
const CREDENTIAL_MAX_LENGTH = 16_384

/**
 * The credentials of a request. Of several, `token` wins over Bearer, and Bearer over Basic.
 * @returns null where there is nothing of the kind
 * @throws AppError UNAUTHENTICATED for what cannot be read
 */
export function credentialOf({ token, authorization }: Given): Credential | null {
  if (token !== undefined) return { kind: 'token', token: short('token', token) }
  if (authorization === undefined) return null
  const text = short('Authorization', authorization)
  const blank = `${text} `.search(/\s/)
  const scheme = text.slice(0, blank).toLowerCase()
  const value = text.slice(blank).trimStart()
  if (scheme === 'bearer' && value) return { kind: 'token', token: value }
  if (scheme === 'basic') return basicOf(value)
  throw new AppError('UNAUTHENTICATED', 'Authorization: expected Bearer or Basic')
}

function short(name: string, value: unknown): string {
  const text = String(value).trim()
  if (text.length > CREDENTIAL_MAX_LENGTH)
    throw new AppError(
      'UNAUTHENTICATED',
      `${name}: has ${text.length} characters; at most ${CREDENTIAL_MAX_LENGTH} are read`,
    )
  return text
}

function basicOf(value: string): Credential {
  const text = Buffer.from(value, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0 || text.includes('\0'))
    throw new AppError('UNAUTHENTICATED', 'Authorization: expected the Base64 of <user>:<password>')
  return { kind: 'basic', user: text.slice(0, colon), password: text.slice(colon + 1) }
}
