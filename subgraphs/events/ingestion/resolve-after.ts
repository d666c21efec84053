import { failureOf } from '../../../platform/database/database-error.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { ResolveAfterRepository } from './resolve-after.repository.ts'

/** The shortest EVENTS_RESOLVE_AFTER is four times as long. */
const EVERY_MS = 15_000

/** Closes events that nothing has changed for a time, until it is ended. @returns ends it */
export function startResolving(
  events: Pick<ResolveAfterRepository, 'close'>,
  announce: () => void,
  log: Logger,
): () => Promise<void> {
  let running: Promise<void> | undefined
  const run = async () => {
    try {
      for (let closed = await events.close(currentTime()); closed > 0; ) {
        log.info({ events: closed }, 'Events without an occurrence closed')
        announce()
        closed = await events.close(currentTime())
      }
    } catch (error) {
      const level = failureOf(error) === 'transient' ? 'warn' : 'error'
      log[level]({ err: error }, 'Events without an occurrence not closed')
    }
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= run()
  }, EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
