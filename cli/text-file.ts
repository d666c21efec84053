import { readFile } from 'node:fs/promises'
import { fileReason } from '../schema/artifact-files/file-reason.ts'
import { decodeText } from '../schema/decode-text.ts'

/** A file as text, without a byte order mark. @throws what the system says */
export const readText = async (file: string): Promise<string> =>
  decodeText(
    await readFile(file).catch((error: NodeJS.ErrnoException) => {
      throw Object.assign(error, { path: file }) // a folder fails in `read`, which knows no path
    }),
  )

/** What the system says of a file, in words; null for other errors. */
export function fileFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { path } = error as NodeJS.ErrnoException // of the file system, where there is a path
  return typeof path === 'string' ? `${path}: ${fileReason(error)}` : null
}
