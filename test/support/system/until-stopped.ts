import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'

/** Ends a program with this process at the latest. @param folder its own, which goes with it @returns ends it now */
export function untilStopped(child: ChildProcess, folder: string): () => Promise<void> {
  const abandon = () => void child.kill('SIGKILL')
  process.once('exit', abandon)
  return async () => {
    process.off('exit', abandon)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
