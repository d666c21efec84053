import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../client.ts'
import { isLost } from '../resumed.ts'
import type { Terminal } from '../terminal.ts'
import { showScenario } from './exchanges.ts'
import { showProgress } from './progress.ts'
import { hasEnded, type Result, scenariosOf } from './result.ts'

const FIRST_LOOK_MS = 200
const MAX_LOOK_MS = 2_000

export interface Awaited {
  id: string
  signal: AbortSignal
}

/** Waits for the end of an execution, and shows scenarios as they end. @throws CommandError; the reason of the signal */
export async function awaitResult(
  { id, signal }: Awaited,
  client: Client,
  terminal: Terminal,
): Promise<Result> {
  const shown = new Set<string>()
  const progress = showProgress(id, client, terminal)
  const pause = (ms: number) =>
    delay(ms, undefined, { signal }).catch(() => {
      throw signal.reason
    })
  const read = () =>
    client.rest<Result>('GET', `/result/${id}`, { signal }).catch((error: unknown) => {
      if (signal.aborted || !isLost(error)) throw error
      terminal.note(`${error.message}. Trying again`)
      return null
    })
  try {
    for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(MAX_LOOK_MS, lookMs * 1.5)) {
      const result = await read()
      const scenarios = result ? scenariosOf(result) : []
      const ended = scenarios.filter((each) => hasEnded(each))
      for (const each of ended) {
        if (shown.has(each.id)) continue
        shown.add(each.id)
        await showScenario(each, client, terminal)
      }
      if (result && hasEnded(result)) return result
      const running = scenarios.filter((each) => !hasEnded(each))
      if (result)
        progress.update({
          scenariosEnded: ended.length,
          names: running.map(({ contextId }) => contextId),
        })
      await pause(lookMs)
    }
  } finally {
    progress.end()
  }
}
