import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'

/**
 * Reads what a program left in its folder. The program may own less than this process, and may have left links and pipes:
 * only a plain file that lies there and belongs to who owns the folder is read, and none waits for a writer.
 * @throws Error that says what it is instead
 */
export async function readInside(folder: string, name: string, maxBytes: number): Promise<string> {
  const file = await realpath(resolve(folder, name))
  if (!file.startsWith(folder + sep)) throw new Error('lies outside of the folder of the run')
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const [found, owner] = await Promise.all([handle.stat(), stat(folder)])
    if (!found.isFile() || found.uid !== owner.uid) throw new Error('is no file of the run')
    if (found.size > maxBytes) throw new Error(`is larger than ${maxBytes} bytes`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
