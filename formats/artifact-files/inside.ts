import { constants } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileReason } from './file-reason.ts'

/** The option that lets files name others that lie elsewhere. */
export const ALLOW_OUTSIDE = '--allow-outside'

/** Real paths of the folders that may be read; null for all. */
export type Folders = readonly string[] | null

/**
 * The real paths of folders that were given, and of those that hold files that were.
 * @throws Error for a link that opens more than was meant: the folders around it, or what lies elsewhere
 */
export async function foldersOf(paths: readonly string[]): Promise<readonly string[]> {
  const folders = paths.map(async (path) => {
    const found = await stat(path).catch(() => null)
    if (!found) return null
    const folder = resolve(found.isDirectory() ? path : dirname(resolve(path)))
    const real = await realpath(folder)
    const isAround = isBelow(await realpath(dirname(folder)), real) && dirname(folder) !== folder
    const leadsOut = isBelow(folder, process.cwd()) && !isBelow(real, await realpath('.'))
    if (isAround || leadsOut)
      throw new Error(
        `${path}: a link leads to ${real}, outside of what was given. Name that folder itself, or add ${ALLOW_OUTSIDE} if you trust these files`,
      )
    return real
  })
  return (await Promise.all(folders)).filter((each) => each !== null)
}

export const isBelow = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Such as `.git/config` and `.env`, which hold secrets. */
export const isHidden = (path: string): boolean =>
  path.split(/[\\/]/).some((part) => part.startsWith('.'))

/** @returns the real path of what is there, links followed @throws Error unless it lies below the folders */
export async function realInside(path: string, folders: Folders): Promise<string> {
  const shown = await realpath(dirname(path)).catch(() => dirname(path))
  const refuse = (real: string) => {
    if (folders === null || folders.some((folder) => isBelow(real, folder))) return
    const given = folders.map((folder) => relative(process.cwd(), folder) || '.').join(', ')
    throw new Error(
      `it lies outside of what was given (${given}). Name its folder, too, or add ${ALLOW_OUTSIDE} if you trust these files`,
    )
  }
  refuse(join(shown, relative(dirname(path), path))) // says nothing of what is there
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(fileReason(error))
  })
  refuse(real)
  return real
}

/** A flag that Windows does not have is 0 there: no link that came meanwhile, no wait for the writer of a pipe. */
const PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The bytes of a plain file. @throws Error that says why it is not read */
export async function readInside(path: string, folders: Folders): Promise<Buffer> {
  const real = await plainInside(path, folders)
  return readFile(real, { flag: PLAIN }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(fileReason(error))
  })
}

/** As {@link realInside}, of a plain file alone: a device or a named pipe may never end. */
export async function plainInside(path: string, folders: Folders): Promise<string> {
  const real = await realInside(path, folders)
  const found = await stat(real)
  if (found.isDirectory()) throw new Error(fileReason({ code: 'EISDIR' } as NodeJS.ErrnoException))
  if (found.isFile()) return real
  throw new Error('it is no plain file: a device, a socket or a named pipe is not read')
}
