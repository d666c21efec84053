import type { PubSub } from '../../shared/pub-sub/pub-sub.ts'

/**
 * Subscribes at once to topics about executions.
 * @param id which execution; all if null
 * @returns what waits for the next message, for one since the last call, or for so many ms
 */
export function wakeUps(
  pubSub: Pick<PubSub, 'subscribe'>,
  topics: readonly string[],
  id: string | null,
  stopped: Promise<unknown>,
): (ms: number) => Promise<void> {
  let changed = false
  let wake = () => {}
  const notice = () => {
    changed = true
    wake()
  }
  const listen = (message: string | null) => {
    if (message === null || id === null || message === id) notice()
  }
  const unsubscribe = topics.map((topic) => pubSub.subscribe(topic, listen))
  void stopped.then(() => {
    for (const end of unsubscribe) end()
    notice()
  })
  return async (ms) => {
    if (!changed)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    changed = false
  }
}
