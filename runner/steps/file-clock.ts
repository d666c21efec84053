import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** The coarsest clocks of file systems count seconds. */
const MAX_TICK_MS = 2_000

/**
 * A time in nanoseconds, by the clock of the file system: what changed before has an earlier `ctime`, and what changes
 * from now on has this one or a later one. Unlike `mtime`, no program can set that one. Not `Date.now()`, as the clock of
 * a file system is coarse and runs behind it.
 * @throws Error where the folder cannot be opened, or a link is in its place; the reason of the signal
 */
export async function fileClock(folder: string, signal: AbortSignal): Promise<bigint> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  // A program may have put a link in its place.
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    const { uid } = await handle.stat()
    const touch = async () => {
      await handle.chown(uid, -1) // changes its ctime alone, and leaves no file
      return (await handle.stat({ bigint: true })).ctimeNs
    }
    const first = await touch()
    const until = Date.now() + MAX_TICK_MS
    let now = first
    // Files that changed just before may have the first time, too.
    while (now === first && Date.now() < until) {
      await delay(1)
      signal.throwIfAborted()
      now = await touch()
    }
    return now
  } finally {
    await handle.close()
  }
}
