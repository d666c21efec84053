import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { decodeText } from '../../formats/decode-text.ts'
import { isTooDeep, parseJson } from '../../formats/json/values.ts'

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

/** The body without its content coding; null for one that is larger than the bound. What is not coded as it says stays as it came. */
export async function inflated(
  bytes: Buffer,
  coding: string,
  maxBytes: number,
): Promise<Buffer | null> {
  const name = coding.trim().toLowerCase()
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined
  if (!decode || bytes.length === 0) return bytes
  try {
    return await decode(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? null : bytes
  }
}

/** The text of a body in its charset. */
export const textOf = (bytes: Buffer, type: string): string =>
  decodeText(bytes, /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1])

/** Reads a body; text that calls itself JSON and is none stays text, for expectations to complain about. */
export function bodyOf(text: string, type: string): unknown {
  if (!/[/+]json\b/i.test(type)) return text
  try {
    const body = parseJson(text)
    return isTooDeep(body) ? text : body
  } catch {
    return text
  }
}
