import type { IncomingMessage } from 'node:http'
import { AppError } from '../schema/errors.ts'
import { MAX_EXACT_NUMBERS, parseExact } from '../schema/exact-number.ts'
import { requireBounded } from './json-bounds.ts'
import { readBody } from './read-body.ts'

const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i
/** RFC 9512, and what was used before it. */
const YAML_TYPE = /^(application\/([\w.+-]+\+|x-)?|text\/(x-)?)yaml\s*(;|$)/i

const PLAIN_JSON_TYPE = /^application\/json\s*(;|$)/i

/** @throws AppError UNSUPPORTED_MEDIA_TYPE unless the type is application/json itself, with whatever parameters */
export function requirePlainJson(contentType = ''): void {
  if (!PLAIN_JSON_TYPE.test(contentType.trim())) throw unsupported('application/json')
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE unless the type is JSON, with whatever parameters */
export function requireJson(contentType = ''): void {
  if (!JSON_TYPE.test(contentType.trim())) throw unsupported('application/json')
}

const unsupported = (expected: string) =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', `Content-Type: expected ${expected}`)

/** Makes the failure of a body that is told to have `7 bytes` or `more than 7 bytes`. */
type TooLarge = (actual: string) => AppError

/**
 * Reads a JSON body, up to a limit: nothing of one that is announced to be larger, and no more of one that turns out to be.
 * @param limit bytes at most, inflated
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, BAD_USER_INPUT, or what `tooLarge` makes
 */
export async function readJson(
  request: IncomingMessage,
  limit: number,
  tooLarge: TooLarge,
): Promise<unknown> {
  requireJson(request.headers['content-type'])
  return parseBounded(await readUpTo(request, limit, tooLarge))
}

/** The same where the body may be YAML as well. @param readYaml what a text says @throws as `readJson` */
export async function readJsonOrYaml(
  request: IncomingMessage,
  limit: number,
  tooLarge: TooLarge,
  readYaml: (text: string) => Promise<unknown>,
): Promise<unknown> {
  const type = (request.headers['content-type'] ?? '').trim()
  if (JSON_TYPE.test(type)) return readJson(request, limit, tooLarge)
  if (!YAML_TYPE.test(type)) throw unsupported('application/json or application/yaml')
  return readYaml(textOf(await readUpTo(request, limit, tooLarge)))
}

async function readUpTo(
  request: IncomingMessage,
  limit: number,
  tooLarge: TooLarge,
): Promise<Uint8Array> {
  const { 'content-length': announced } = request.headers
  if (Number(announced ?? 0) > limit) throw tooLarge(`${announced} bytes`)
  let bytes = 0
  return readBody(request, (more) => {
    bytes += more
    if (bytes > limit) throw tooLarge(`more than ${limit} bytes`)
  })
}

export const bodyTooLarge = (
  cause?: unknown,
  message = 'The request body is larger than this path accepts',
) => new AppError('PAYLOAD_TOO_LARGE', message, { cause })

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** @throws AppError PAYLOAD_TOO_LARGE for what holds too much, BAD_USER_INPUT for what is not JSON in UTF-8 */
export function parseBounded(body: Uint8Array): unknown {
  requireBounded(body)
  return parseJson(body, MAX_EXACT_NUMBERS)
}

/**
 * Numbers keep their digits.
 * @param most how many of them may need more than a double
 * @throws AppError BAD_USER_INPUT for what is not JSON in UTF-8, PAYLOAD_TOO_LARGE for more such numbers
 */
export function parseJson(body: Uint8Array, most?: number): unknown {
  try {
    return parseExact(UTF8.decode(body), most)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('BAD_USER_INPUT', 'The request body is not valid JSON', { cause })
  }
}

function textOf(body: Uint8Array): string {
  try {
    return UTF8.decode(body)
  } catch (cause) {
    throw new AppError('BAD_USER_INPUT', 'The request body is not in UTF-8', { cause })
  }
}
