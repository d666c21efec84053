const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk can only be read',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
}

/** What the system says of a file, in words. */
export const fileReason = ({ code = '', message }: NodeJS.ErrnoException): string =>
  REASONS[code] ?? message
