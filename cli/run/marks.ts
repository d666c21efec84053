import type { Client } from '../client.ts'
import type { Terminal } from '../terminal.ts'

interface Own {
  contextName: string
  isFlaky: boolean
  isQuarantined: boolean
  state: string
}

/** Effects of retries, quarantine and needs on a run. */
export interface Marks extends Own {
  skippedScenarios: { name: string; reason: string }[]
  testCaseResults: Own[]
}

/** @throws CommandError */
export async function readMarks(id: string, client: Client): Promise<Marks | null> {
  const { executionResult } = await client.graphql<{ executionResult: Marks | null }>(
    'marks',
    { id },
    { isRepeatable: true },
  )
  return executionResult
}

/** One line for each scenario that has a mark. */
export function markLines(marks: Marks, terminal: Terminal): string[] {
  const { skippedScenarios } = marks
  return [
    ...[marks, ...marks.testCaseResults].flatMap(
      ({ contextName, isFlaky, isQuarantined, state }) => {
        if (isFlaky) return [`${terminal.paint('yellow', 'FLAKY')} ${contextName}`]
        if (!isQuarantined || state === 'COMPLETED') return []
        return [`${terminal.paint('yellow', 'QUARANTINED')} ${contextName} is ${state}`]
      },
    ),
    ...skippedScenarios.map(
      ({ name, reason }) => `${terminal.paint('yellow', 'SKIPPED')} ${name}: ${reason}`,
    ),
  ]
}
