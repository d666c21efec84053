import { setTimeout as delay } from 'node:timers/promises'
import type { ServerProcess } from './postgres-process.ts'

/** Starts the server again whenever it ends without being asked to. */
export function superviseServer(
  first: ServerProcess,
  start: () => Promise<ServerProcess>,
  log: { info(message: string): void; warn(message: string): void },
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let server = first
  const watching = watch()

  async function watch(): Promise<void> {
    for (;;) {
      const end = await server.exited
      if (stopping.signal.aborted) return
      log.warn(`The database ${end}; starting it again`)
      const next = await restart()
      if (!next) return
      server = next
      if (stopping.signal.aborted) return server.stop()
      log.info('The database runs again')
    }
  }

  async function restart(): Promise<ServerProcess | undefined> {
    for (let waitMs = 100; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, 10_000)) {
      try {
        return await start()
      } catch (error) {
        log.warn(`The database does not start: ${error instanceof Error ? error.message : error}`)
      }
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    return undefined
  }

  return {
    async stop() {
      stopping.abort()
      await server.stop()
      await watching
    },
  }
}
