import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { fileReason } from '../schema/artifact-files/file-reason.ts'
import { decodeText } from '../schema/decode-text.ts'
import { utf8Of } from '../schema/json.ts'
import { usageError } from './exit-codes.ts'

const readBytes = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(error, { path: file }) // a folder fails in `read`, which knows no path
  })

/** A file as text, without a byte order mark. @throws what the system says */
export const readText = async (file: string): Promise<string> => decodeText(await readBytes(file))

/** The text of a JSON file, or of standard input for `-`. @throws CommandError unless it is UTF-8, or UTF-16 with its mark */
export async function readJsonText(file: string): Promise<string> {
  const bytes = file === '-' ? await buffer(process.stdin) : await readBytes(file)
  if (isUtf16(bytes)) return decodeText(bytes)
  try {
    return utf8Of(bytes, file)
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error))
  }
}

/** PowerShell of Windows writes it. */
const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** What the system says of a file, in words; null for other errors. */
export function fileFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { path } = error as NodeJS.ErrnoException // of the file system, where there is a path
  return typeof path === 'string' ? `${path}: ${fileReason(error)}` : null
}
