import type { IncomingMessage } from 'node:http'
import { AppError } from '../schema/errors.ts'
import { readBody } from './read-body.ts'

/** @throws AppError UNSUPPORTED_MEDIA_TYPE unless the type is JSON, with whatever parameters */
export function requireJson(contentType = ''): void {
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType.trim()))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type: expected application/json')
}

/**
 * Reads a JSON body, up to a limit: nothing of one that is announced to be larger, and no more of one that turns out to be.
 * @param limit bytes at most, inflated
 * @param tooLarge makes the failure, told how large the body is: `7 bytes` or `more than 7 bytes`
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, BAD_USER_INPUT, or what `tooLarge` makes
 */
export async function readJson(
  request: IncomingMessage,
  limit: number,
  tooLarge: (actual: string) => AppError,
): Promise<unknown> {
  const { 'content-type': type, 'content-length': announced } = request.headers
  requireJson(type)
  if (Number(announced ?? 0) > limit) throw tooLarge(`${announced} bytes`)
  let bytes = 0
  const body = await readBody(request, (more) => {
    bytes += more
    if (bytes > limit) throw tooLarge(`more than ${limit} bytes`)
  })
  return parseJson(body)
}

export const bodyTooLarge = (
  cause?: unknown,
  message = 'The request body is larger than this path accepts',
) => new AppError('PAYLOAD_TOO_LARGE', message, { cause })

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** @throws AppError BAD_USER_INPUT for what is not JSON in UTF-8 */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(body))
  } catch (cause) {
    throw new AppError('BAD_USER_INPUT', 'The request body is not valid JSON', { cause })
  }
}
