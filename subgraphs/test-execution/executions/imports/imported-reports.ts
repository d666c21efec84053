import { AppError, badInput } from '../../../../formats/errors.ts'
import { tellApart } from '../../../../formats/tell-apart.ts'
import { TimeBudget } from '../../../../platform/task-processes/task-processes.ts'
import type { Evaluation } from '../../../../runner/evaluation/evaluation.ts'
import type { ReportedCase } from '../../../../runner/reports/reported-case.ts'
import { REPORTS_MS } from '../../../../runner/steps/command-reports.ts'
import type { ImportedReportInput, ImportedScenarioInput } from './import.type.ts'

interface ReportedScenarios {
  scenarios: ImportedScenarioInput[]
  /** Contradictions within the reports. */
  warnings: string[]
}

/** Reads reports of tests as those of a step are read. @throws AppError BAD_USER_INPUT that names the report */
export async function readReportsOf(
  reports: readonly ImportedReportInput[],
  evaluation: Evaluation,
): Promise<ReportedScenarios> {
  const budget = new TimeBudget('REPORTS_MS', REPORTS_MS)
  const placed: { scenario: ReportedCase; place: string }[] = []
  const warnings: string[] = []
  for (const [at, { path, text }] of reports.entries()) {
    const read = await evaluation
      .run('readReport', { format: 'junit', text }, budget)
      .catch((error: unknown): never => {
        if (error instanceof AppError) throw error
        const reason = error instanceof Error ? error.message : error
        throw badInput(`reports.${at}: ${path} is no JUnit XML: ${reason}`)
      })
    if (read.cases.length === 0) throw badInput(`reports.${at}: ${path} has no test`)
    placed.push(...read.cases.map((scenario) => ({ scenario, place: path })))
    warnings.push(...read.warnings.map((each) => `${path}: ${each}`))
  }
  return { scenarios: tellApart(placed).map(scenarioOf), warnings }
}

const timeOf = (started: string | null) => (started === null ? null : new Date(started))

const scenarioOf = ({ tries, started, ...test }: ReportedCase): ImportedScenarioInput => ({
  ...test,
  started: timeOf(started),
  steps: [],
  tries: tries.map((each) => ({ ...each, started: timeOf(each.started), steps: [] })),
})
