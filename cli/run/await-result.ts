import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../client.ts'
import { painted, type Terminal } from '../terminal.ts'
import { hasEnded, type Result, scenarioLines, scenariosOf } from './result.ts'

const FIRST_LOOK_MS = 200
const MAX_LOOK_MS = 2_000
const BAR_WIDTH = 24

export interface Awaited {
  id: string
  /** Scenarios in all, where that is known. */
  total: number | null
  signal: AbortSignal
}

/** Waits for the end of an execution, and shows scenarios as they end. @throws CommandError; the reason of the signal */
export async function awaitResult(
  { id, total, signal }: Awaited,
  client: Client,
  terminal: Terminal,
): Promise<Result> {
  const shown = new Set<string>()
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(MAX_LOOK_MS, lookMs * 1.5)) {
    const result = await client.rest<Result>('GET', `/result/${id}`, { signal })
    const ended = scenariosOf(result).filter((each) => hasEnded(each))
    for (const each of ended) {
      if (shown.has(each.id)) continue
      shown.add(each.id)
      for (const line of scenarioLines(each, terminal)) terminal.line(line)
    }
    if (hasEnded(result)) return result
    terminal.progress(progressOf(result, ended.length, total, terminal))
    await delay(lookMs, undefined, { signal }).catch(() => {
      throw signal.reason
    })
  }
}

function progressOf(
  result: Result,
  ended: number,
  total: number | null,
  terminal: Terminal,
): string[] {
  const running = scenariosOf(result).filter((each) => !hasEnded(each))
  const names = running.map(({ contextId }) => contextId).join(', ')
  const filled = total ? Math.round((BAR_WIDTH * ended) / total) : 0
  const bar = total
    ? `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${ended}/${total} `
    : ''
  return [`${bar}${painted(terminal, 'RUNNING')} ${names || result.contextId}`]
}
