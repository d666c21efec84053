import type { Result } from '../json.ts'
import { painted, type Terminal } from '../terminal.ts'

export type { Result } from '../json.ts'

/** Form of ids of results; those of artifacts may be anything else. */
export const RESULT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const hasEnded = ({ state }: Pick<Result, 'state'>): boolean => state !== 'RUNNING'

/** The results of scenarios: of the members of a suite, or the one itself. */
export const scenariosOf = (result: Result): readonly Result[] =>
  result.type === 'SUITE' ? result.testCaseResults : [result]

/** Result of a scenario, with its failures. */
export function scenarioLines(result: Result, terminal: Terminal): string[] {
  const { contextId, state, message, validationFailures } = result
  const head = `${painted(terminal, state)} ${contextId}${durationOf(result)}`
  if (state === 'COMPLETED') return [head]
  const failures = validationFailures.map((failure) => {
    const row = failure.datasetRow == null ? '' : ` (row ${failure.datasetRow})`
    const name = failure.name ? `${failure.name}: ` : ''
    return `    step ${failure.stepId}${row}: ${name}${failure.message}`
  })
  const isSaid = failures.some((line) => line.endsWith(message ?? ''))
  return [
    head,
    ...failures,
    ...(message && !(isSaid && failures.length > 0) ? [`    ${message}`] : []),
  ]
}

/** The last line of a run. */
export function verdictLine(result: Result, terminal: Terminal): string {
  const all = scenariosOf(result)
  const good = all.filter(({ state }) => state === 'COMPLETED').length
  const coverage = result.codeCoverage.map(
    ({ componentName, coveragePercentage }) => `${componentName} ${coveragePercentage} %`,
  )
  const covered = coverage.length > 0 ? `, coverage: ${coverage.join(', ')}` : ''
  return `${painted(terminal, result.state)}: ${good} of ${all.length} scenarios COMPLETED${covered}, result ${result.id}`
}

function durationOf({ started, ended }: Result): string {
  const ms = ended === null ? Number.NaN : Date.parse(ended) - Date.parse(started)
  return Number.isNaN(ms) ? '' : ` (${(ms / 1_000).toFixed(1)} s)`
}
