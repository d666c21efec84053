import { constants, openSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileReason } from '../formats/artifact-files/file-reason.ts'
import { decodeText } from '../formats/decode-text.ts'
import { utf8Of } from '../formats/json/json.ts'
import { CommandError, usageError } from './exit-codes.ts'

/** Stands for standard input in the place of a file. */
export const STDIN = '-'

/** @throws what the system says; the reason of the signal */
async function readBytes(file: string, signal: AbortSignal): Promise<Buffer> {
  try {
    if (file === STDIN) return await buffer(addAbortSignal(signal, process.stdin))
    const isPipe = (await stat(file)).isFIFO()
    return isPipe ? await readPipe(file, signal) : await readFile(file, { signal })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof CommandError) throw error
    // A folder fails in `read`, which knows no path.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error
  }
}

/** Time without a byte, such as that until a program opens a named pipe to write. */
export const PIPE_IDLE_MS = 60_000

/** Bounds of all that is read from a named pipe: its writer may never end. */
export const PIPE_LIMITS = { idleMs: PIPE_IDLE_MS, totalMs: 10 * 60_000, bytes: 256 * 1024 * 1024 }

/** Opens it at once: the wait for a writer could not be ended otherwise. */
export async function readPipe(
  file: string,
  signal: AbortSignal,
  { idleMs, totalMs, bytes } = PIPE_LIMITS,
): Promise<Buffer> {
  const fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const pipe = new Socket({ fd, readable: true, writable: false })
  const silent = `${file} is a pipe, and nothing was written into it for ${idleMs / 1_000} s: start the program that writes it, or name a plain file`
  pipe.setTimeout(idleMs, () => pipe.destroy(usageError(silent)))
  const end = (limit: string) =>
    pipe.destroy(usageError(`${file} is a pipe, and more than ${limit}: name a plain file`))
  const timer = setTimeout(end, totalMs, `${totalMs / 1_000} s passed before its writer was done`)
  pipe.on('data', () => {
    if (pipe.bytesRead > bytes) end(`${bytes} bytes were written into it`)
  })
  try {
    return await buffer(addAbortSignal(signal, pipe))
  } finally {
    clearTimeout(timer)
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

/** Error of the system about a file, in words; null for other errors. */
export function fileFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { path } = error as NodeJS.ErrnoException // of the file system, where there is a path
  return typeof path === 'string' ? `${path}: ${fileReason(error)}` : null
}
