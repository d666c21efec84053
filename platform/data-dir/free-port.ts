import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that an operating system hands out by itself (Linux: from 32768), as to our connections. */
const FIRST = 20_000
const LAST = 32_767

/** By a process, or by the system. */
const TAKEN: ReadonlySet<string | undefined> = new Set(['EADDRINUSE', 'EACCES'])

const given = new Set<number>()

/** An unused TCP port of the loopback interface; never the same one twice in a process. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST, LAST + 1)
  if (given.has(port) || !(await isFree(port))) return freePort()
  given.add(port)
  return port
}

async function isFree(port: number): Promise<boolean> {
  try {
    await tryListen(port, '127.0.0.1')
    return true
  } catch (error) {
    if (TAKEN.has((error as NodeJS.ErrnoException).code)) return false
    throw error
  }
}

/** Listens for a moment. @throws as listening does, such as EADDRINUSE */
export async function tryListen(port: number, host: string): Promise<void> {
  const probe = createServer().listen(port, host)
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
