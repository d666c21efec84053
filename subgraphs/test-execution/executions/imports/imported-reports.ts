import { posix } from 'node:path'
import { AppError, badInput } from '../../../../formats/errors.ts'
import type { NamedFile, Scenario, Step, Try } from '../../../../formats/results/scenario.ts'
import { tellApart } from '../../../../formats/tell-apart.ts'
import { TimeBudget } from '../../../../platform/task-processes/task-processes.ts'
import type { Evaluation } from '../../../../runner/evaluation/evaluation.ts'
import { type AttachmentLimits, MAX_ATTACHMENTS } from '../../../../runner/run/attachment.ts'
import { REPORTS_MS } from '../../../../runner/steps/command-reports.ts'
import type {
  ImportedFileInput,
  ImportedReportInput,
  ImportedScenarioInput,
  ImportedStepInput,
  ImportedTryInput,
} from './import.type.ts'

interface ReportedScenarios {
  scenarios: ImportedScenarioInput[]
  /** Contradictions within the reports, and files that are left out. */
  warnings: string[]
}

/** Reads reports of tests of any format. @throws AppError BAD_USER_INPUT that names the report */
export async function readReportsOf(
  reports: readonly ImportedReportInput[],
  evaluation: Evaluation,
  limits: AttachmentLimits,
): Promise<ReportedScenarios> {
  const budget = new TimeBudget('REPORTS_MS', REPORTS_MS)
  const placed: { scenario: Scenario; place: string }[] = []
  const warnings: string[] = []
  for (const [at, { path, text }] of reports.entries()) {
    const read = await evaluation
      .run('readResults', text, budget)
      .catch((error: unknown): never => {
        if (error instanceof AppError) throw error
        throw badInput(`reports.${at}: ${path} ${error instanceof Error ? error.message : error}`)
      })
    if (read.scenarios.length === 0) throw badInput(`reports.${at}: ${path} has no test`)
    placed.push(...read.scenarios.map((scenario) => ({ scenario, place: path })))
    warnings.push(...read.warnings.map((each) => `${path}: ${each}`))
  }
  const held = heldFiles(limits, warnings)
  return { scenarios: tellApart(placed).map((each) => scenarioOf(each, held)), warnings }
}

type HeldFiles = (files: readonly NamedFile[]) => ImportedFileInput[]

/** Files that reports hold, within the limits of an execution; those that they only name are not there. */
function heldFiles({ bytesOfOne, bytesOfAll }: AttachmentLimits, warnings: string[]): HeldFiles {
  let [count, size] = [0, 0]
  return (files) =>
    files.flatMap(({ name, contentType = null, base64 }) => {
      if (base64 === undefined) return []
      const bytes = Buffer.byteLength(base64, 'base64')
      if (count === MAX_ATTACHMENTS || bytes > bytesOfOne || size + bytes > bytesOfAll) {
        warnings.push(`${name} is not attached: it exceeds the limits of attachments`)
        return []
      }
      count += 1
      size += bytes
      return [{ name: posix.basename(name), contentType, base64 }]
    })
}

const timeOf = (started: string | null) => (started === null ? null : new Date(started))

const stepOf = ({ files, ...step }: Step, held: HeldFiles): ImportedStepInput => ({
  ...step,
  attachments: held(files),
})

const tryOf = ({ started, steps, ...tried }: Try, held: HeldFiles): ImportedTryInput => ({
  ...{ ...tried, started: timeOf(started), steps: steps.map((each) => stepOf(each, held)) },
})

const scenarioOf = (
  { started, steps, tries, ...scenario }: Scenario,
  held: HeldFiles,
): ImportedScenarioInput => ({
  ...{ ...scenario, started: timeOf(started), steps: steps.map((each) => stepOf(each, held)) },
  tries: tries.map((each) => tryOf(each, held)),
})
