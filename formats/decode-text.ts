import { isUtf8 } from 'node:buffer'

/** Bytes in which a declaration of XML ends. */
const DECLARATION_BYTES = 200

/**
 * Text in the encoding that its byte order mark, its content type or its XML declaration names; UTF-8 where that is none we know.
 * @param charset of the content type
 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  try {
    return new TextDecoder(encodingOf(bytes, charset)).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function encodingOf(bytes: Uint8Array, charset?: string): string {
  const head = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1')
  if (/^(\xff\xfe|<\0)/.test(head)) return 'utf-16le'
  if (/^(\xfe\xff|\0<)/.test(head)) return 'utf-16be'
  if (charset) return charset
  const [, declared = 'utf-8'] =
    /^<\?xml\s[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head) ?? []
  // .NET declares UTF-16 for what it keeps in memory, and writes UTF-8; kyua ISO-8859-1 for bytes as they are.
  const isUnderOther = /^utf-?16/i.test(declared) || (isLatin(declared) && isUtf8(bytes))
  return isUnderOther ? 'utf-8' : declared
}

const isLatin = (encoding: string): boolean =>
  /^(iso-8859-1|windows-1252|us-ascii)$/i.test(encoding)
