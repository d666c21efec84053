import type { Client } from '../client.ts'
import { painted, type Terminal } from '../terminal.ts'

const BAR_WIDTH = 24

export interface Shown {
  /** Scenarios that have ended. */
  ended: number
  /** Scenarios in all, where that is known. */
  total: number | null
  /** Names of scenarios that run. */
  names: readonly string[]
  /** Place in the queue, from 1; null for what does not wait. */
  queuePosition?: number | null
}

/** The line below all others while something runs. */
export function progressLine({ ended, total, names, queuePosition }: Shown, terminal: Terminal) {
  const filled = total ? Math.round((BAR_WIDTH * ended) / total) : 0
  const bar = `${terminal.paint('green', '█'.repeat(filled))}${terminal.paint('dim', '░'.repeat(BAR_WIDTH - filled))}`
  const count = total ? `${bar} ${ended}/${total} ` : ''
  const waits = queuePosition ? `waits, place ${queuePosition} of the queue` : ''
  return `${count}${painted(terminal, 'RUNNING')} ${waits || names.join(', ')}`.trimEnd()
}

/** Number of scenarios in an execution. @throws CommandError */
export async function totalOf(id: string, client: Client): Promise<number | null> {
  const { executionResult } = await client.graphql<{
    executionResult: { progress: { scenarios: number } } | null
  }>('total', { id }, { isRepeatable: true })
  return executionResult?.progress.scenarios ?? null
}
