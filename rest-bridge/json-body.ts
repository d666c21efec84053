import { AppError } from '../schema/errors.ts'

/** @throws AppError UNSUPPORTED_MEDIA_TYPE unless the type is JSON, with whatever parameters */
export function requireJson(contentType = ''): void {
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType.trim()))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type: expected application/json')
}

/**
 * Refuses a body that is announced to be too large before any of it is read.
 * @param limit bytes at most @throws AppError PAYLOAD_TOO_LARGE
 */
export function requireLength(contentLength = '0', limit: number): void {
  if (Number(contentLength) > limit) throw bodyTooLarge()
}

export const bodyTooLarge = (cause?: unknown) =>
  new AppError('PAYLOAD_TOO_LARGE', 'The request body is larger than this path accepts', { cause })

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** @throws AppError BAD_USER_INPUT for what is not JSON in UTF-8 */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(body))
  } catch (cause) {
    throw new AppError('BAD_USER_INPUT', 'The request body is not valid JSON', { cause })
  }
}
