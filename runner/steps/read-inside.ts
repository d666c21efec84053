import { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'

/**
 * Reads what a program left in its folder. The program may own less than this process, and may have left links and pipes:
 * only a plain file that lies there and belongs to who owns the folder is read, and none waits for a writer. Of one that
 * still grows, no more than the limit is read.
 * @throws Error that says what it is instead, and nothing about what lies elsewhere
 */
export const readBytesInside = (folder: string, name: string, maxBytes: number): Promise<Buffer> =>
  readFrom(folder, name, maxBytes, buffer)

/** A source as text: null for what is no plain file of the run, and an empty text for one over the limit. */
export const readSourceInside = (
  folder: string,
  name: string,
  maxBytes: number,
): Promise<string | null> =>
  readFrom(folder, name, maxBytes, text).catch((error: unknown) =>
    error instanceof NotOfTheRunError ? null : '',
  )

async function readFrom<Content>(
  folder: string,
  name: string,
  maxBytes: number,
  read: (stream: Readable) => Promise<Content>,
): Promise<Content> {
  const file = await realpath(resolve(folder, name)).catch(notOfTheRun)
  if (!file.startsWith(folder + sep)) return notOfTheRun()
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(notOfTheRun)
  try {
    // Not `stat`: a link in the place of the folder would name the owner of what it leads to.
    const [found, owner] = await Promise.all([handle.stat(), lstat(folder)])
    if (!found.isFile() || found.uid !== owner.uid) return notOfTheRun()
    if (found.size > maxBytes) throw new Error(`is larger than ${maxBytes} bytes`)
    return await read(handle.createReadStream({ end: maxBytes - 1, autoClose: false }))
  } finally {
    await handle.close()
  }
}

class NotOfTheRunError extends Error {}

/** One error for missing, linked and foreign files: a difference would reveal files elsewhere. */
function notOfTheRun(): never {
  throw new NotOfTheRunError('is no plain file of the run')
}
