import { AppError } from '../schema/errors.ts'

export interface HostCredentials {
  userId: string
  password: string
}

const HINT = 'expected the Base64 of <USER_ID>:<PASSWORD>'

/**
 * Reads the `credentials` header: Base64 of user id and password, plain or percent-encoded.
 * @throws AppError BAD_USER_INPUT when it is missing or malformed; the message never repeats it
 */
export function parseCredentials(header: string | undefined): HostCredentials {
  if (!header) throw new AppError('BAD_USER_INPUT', `Header credentials is missing: ${HINT}`)
  const text = decode(header.trim())
  const colon = text?.indexOf(':') ?? -1
  if (text === null || colon < 1 || text.includes('\0'))
    throw new AppError('BAD_USER_INPUT', `Header credentials is malformed: ${HINT}`)
  return { userId: text.slice(0, colon), password: text.slice(colon + 1) }
}

function decode(header: string): string | null {
  try {
    const base64 = header.includes('%') ? decodeURIComponent(header) : header
    if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) return null
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return null
  }
}
