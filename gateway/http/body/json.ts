import { AppError } from '../../../schema/errors.ts'
import { joined, parseBounded, utf8Of } from '../../../schema/json.ts'
import type { HttpRequest } from '../request.ts'
import type { BodyLimit } from './read.ts'

const JSON_TYPE = /^application\/json\s*(;|$)/i
/** RFC 9512, and what was used before it. */
const YAML_TYPE = /^(application\/([\w.+-]+\+|x-)?|text\/(x-)?)yaml\s*(;|$)/i

/** @throws AppError UNSUPPORTED_MEDIA_TYPE unless the type is JSON, with whatever parameters */
export function requireJson(contentType = ''): void {
  if (!JSON_TYPE.test(contentType.trim())) throw unsupported('application/json')
}

const unsupported = (expected: string) =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', `Content-Type: expected ${expected}`)

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
  await request.readPieces(limit, (piece) => pieces.push(piece))
  return joined(pieces)
}
