import { readFile } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileReason } from '../schema/artifact-files/file-reason.ts'
import { decodeText } from '../schema/decode-text.ts'
import { utf8Of } from '../schema/json.ts'
import { usageError } from './exit-codes.ts'

/** What stands for standard input in the place of a file. */
export const STDIN = '-'

/** @throws what the system says; the reason of the signal */
async function readBytes(file: string, signal: AbortSignal): Promise<Buffer> {
  try {
    if (file === STDIN) return await buffer(addAbortSignal(signal, process.stdin))
    return await readFile(file, { signal })
  } catch (error) {
    signal.throwIfAborted()
    // A folder fails in `read`, which knows no path.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error
  }
}

/** A file as text, without a byte order mark. @throws what the system says; the reason of the signal */
export const readText = async (file: string, signal: AbortSignal): Promise<string> =>
  decodeText(await readBytes(file, signal))

/** The text of a JSON file. @throws CommandError unless it is UTF-8, or UTF-16 with its mark; the reason of the signal */
export async function readJsonText(file: string, signal: AbortSignal): Promise<string> {
  const bytes = await readBytes(file, signal)
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
