import { AppError } from '../../../schema/errors.ts'
import { joined, parseBounded, utf8Of } from '../../../schema/json.ts'
import type { HttpRequest } from '../request.ts'

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

/** How many bytes a body may have, inflated, and the failure of one that has `7 bytes` or `more than 7 bytes`. */
export interface BodyLimit {
  bytes: number
  exceeded(actual: string): AppError
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE, BAD_USER_INPUT, or what the limit makes */
export async function readJson(request: HttpRequest, limit: BodyLimit): Promise<unknown> {
  requireJson(request.headers['content-type'])
  return parseBounded(await readWhole(request, limit))
}

/** The same where the body may be YAML as well. @param readYaml what a text says @throws as `readJson` */
export async function readJsonOrYaml(
  request: HttpRequest,
  limit: BodyLimit,
  readYaml: (text: string) => Promise<unknown>,
): Promise<unknown> {
  const type = (request.headers['content-type'] ?? '').trim()
  if (JSON_TYPE.test(type)) return readJson(request, limit)
  if (!YAML_TYPE.test(type)) throw unsupported('application/json or application/yaml')
  return readYaml(utf8Of(await readWhole(request, limit)))
}

async function readWhole(request: HttpRequest, limit: BodyLimit): Promise<Buffer> {
  const pieces: Buffer[] = []
  await readUpTo(request, limit, (piece) => pieces.push(piece))
  return joined(pieces)
}

/** Reads nothing of a body that is announced to be over the limit, and no more of one that turns out to be. */
export function readUpTo(
  request: HttpRequest,
  limit: BodyLimit,
  onPiece: (piece: Buffer) => void,
): Promise<void> {
  const { 'content-length': announced } = request.headers
  if (Number(announced ?? 0) > limit.bytes) throw limit.exceeded(`${announced} bytes`)
  let bytes = 0
  return request.readPieces((piece) => {
    bytes += piece.length
    if (bytes > limit.bytes) throw limit.exceeded(`more than ${limit.bytes} bytes`)
    onPiece(piece)
  })
}
