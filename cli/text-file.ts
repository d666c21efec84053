import { readFile } from 'node:fs/promises'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'it exists',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk can only be read',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
}

/** A file as text, without a byte order mark. @throws what the system says */
export const readText = async (file: string): Promise<string> =>
  (
    await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw Object.assign(error, { path: file }) // a folder fails in `read`, which knows no path
    })
  ).replace(/^\uFEFF/, '')

/** What the system says of a file, in words; null for other errors. */
export function fileFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code = '', path } = error as NodeJS.ErrnoException // of the file system, where there is a path
  const reason = REASONS[code] ?? error.message
  return typeof path === 'string' ? `${path}: ${reason}` : null
}
