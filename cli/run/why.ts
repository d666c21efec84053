import type { Client } from '../client.ts'
import { CommandError } from '../exit-codes.ts'
import { hasEnded, type Result } from './result.ts'

interface Run {
  id: string
  started: string
}

/** Why an execution failed, and since when. */
interface Why {
  cause: {
    count: number
    scenarioCount: number
    verdict: string | null
    owner: string | null
    ticket: string | null
  } | null
  failingSince: {
    failures: number
    first: Run | null
    lastGood: Run | null
    changes: { kind: string; name: string; before: string | null; after: string | null }[]
  } | null
}

/** Lines below a scenario that did not succeed. None for a reported test, and where the server knows none. */
export async function whyLines(result: Result, client: Client): Promise<string[]> {
  const { id, state } = result
  if (state === 'COMPLETED' || !hasEnded(result) || id.includes('~')) return []
  try {
    return linesOf(await client.rest<Why>('GET', `/result/${id}/cause`))
  } catch (error) {
    if (error instanceof CommandError && error.code) return []
    throw error
  }
}

function linesOf({ cause, failingSince }: Why): string[] {
  const lines: string[] = []
  if (cause) {
    const judged = [cause.verdict, cause.owner, cause.ticket].filter(Boolean).join(', ')
    const said = judged === '' ? 'no verdict' : `verdict ${judged}`
    lines.push(
      `cause: seen ${times(cause.count)} in ${cause.scenarioCount} scenario${cause.scenarioCount === 1 ? '' : 's'}, ${said}`,
    )
  }
  if (failingSince?.first) {
    const { first, failures, lastGood, changes } = failingSince
    lines.push(
      `fails since ${first.started}, ${failures === 1 ? 'this run' : `${failures} runs`}; last good: ${lastGood?.id ?? 'none'}`,
      ...changes.map(
        ({ kind, name, before, after }) =>
          `changed then: ${kind} ${name} ${before || 'none'} → ${after || 'none'}`,
      ),
    )
  }
  return lines.map((line) => `    ${line}`)
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
