const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EEXIST: 'a file of that name is there',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk can only be read',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
}

/** Error of the system about a file, in words. */
export const fileReason = ({ code = '', message }: NodeJS.ErrnoException): string =>
  REASONS[code] ?? message

/**
 * Words for a path that the system refuses, for `catch`.
 * @param what begins the sentence, and names the path @param remedy what to do, as a sentence
 * @throws an Error with the reason; other errors as they are
 */
export const refusedAs =
  (what: string, remedy: string) =>
  (cause: NodeJS.ErrnoException): never => {
    if (!Object.hasOwn(REASONS, cause.code ?? '')) throw cause
    throw new Error(`${what}: ${fileReason(cause)}. ${remedy}`, { cause })
  }
