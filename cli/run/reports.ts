import { type Coverage, cobertura, lcov, type Sources } from '../../formats/coverage/reports.ts'
import type { Client } from '../client.ts'
import { type Context, type Option, type Options, textOf } from '../command.ts'
import { EXIT, type ExitCode, usageError } from '../exit-codes.ts'
import { idForPath, writeBelow, writeInto } from '../folder/write-files.ts'
import { downloadFiles, type Exchanges, readExchanges, withEvidence } from './attached.ts'
import { environmentsOf, isInSeveral } from './environments.ts'
import type { Result } from './result.ts'

export const REPORT_OPTIONS: Readonly<Record<string, Option>> = {
  junit: { value: 'FILE', does: 'write a JUnit report' },
  attachments: {
    value: 'DIR',
    does: 'save what steps attached, and requests that failed; the JUnit report names them',
  },
  lcov: { value: 'FILE', does: 'write the coverage as lcov' },
  cobertura: { value: 'FILE', does: 'write the coverage as Cobertura XML' },
  xa: { value: 'DIR', does: 'write an XA report for the run and for each scenario' },
  'fail-under-coverage': {
    value: 'PERCENT',
    does: 'exit code 1 where a component is covered by less, or nothing is measured',
  },
}

const COVERAGE_FORMATS = { lcov, cobertura }

/** @throws CommandError for what is no percentage */
export function leastCoverage(options: Options): number | null {
  const text = textOf(options, 'fail-under-coverage')
  if (text === undefined) return null
  const least = Number(text)
  if (least >= 0 && least <= 100) return least
  throw usageError(`--fail-under-coverage is ${text}: expected a number from 0 to 100`)
}

/** True if any report is to be written. */
export const areReportsAsked = (options: Options): boolean =>
  ['junit', 'attachments', 'lcov', 'cobertura', 'xa'].some((name) => options[name] !== undefined)

/** Writes the reports that are asked for. @throws CommandError */
export async function writeReports(
  result: Result,
  sources: Sources,
  options: Options,
  client: Client,
): Promise<void> {
  const path = `/result/${result.id}/details`
  const junit = textOf(options, 'junit')
  const attachments = textOf(options, 'attachments')
  const isEvidenceAsked = junit !== undefined || attachments !== undefined
  const exchanges: Exchanges = isEvidenceAsked ? await readExchanges(result, client) : new Map()
  if (junit !== undefined) {
    const report = await client.text('GET', path, { query: { format: 'junit' } })
    await writeInto(junit, withEvidence(report, exchanges, attachments))
  }
  if (attachments !== undefined) await downloadFiles(result, attachments, exchanges, client)
  for (const [format, reportOf] of Object.entries(COVERAGE_FORMATS)) {
    const file = textOf(options, format)
    if (file === undefined) continue
    const { codeCoverage } = await client.rest<{ codeCoverage: Coverage[] }>('GET', path)
    await writeInto(file, reportOf(codeCoverage, sources))
  }
  const folder = textOf(options, 'xa')
  if (folder === undefined) return
  const environments = isInSeveral(result) ? await environmentsOf(result, client) : null
  for (const { id, contextId } of [result, ...result.testCaseResults]) {
    if (id.includes('~')) continue // a test that a tool reported stands in the report of its scenario
    const details = await client.rest<{ report: string }>('GET', `/result/${id}/details`)
    const environmentId = environments?.get(id)
    const name = environmentId ? `${contextId}.${environmentId}` : contextId
    const file = `${idForPath(name, 'What ran')}.xml`
    await writeBelow(folder, file, details.report, true)
  }
}

/** The exit code of a run. @throws CommandError */
export async function judge(
  result: Result,
  least: number | null,
  { client, terminal }: Pick<Context, 'client' | 'terminal'>,
  isQuarantined = false,
): Promise<ExitCode> {
  const low = least === null ? [] : await coverageBelow(least, result, client)
  for (const { componentName, coveragePercentage } of low) {
    const shown = Math.floor(coveragePercentage * 100) / 100
    terminal.note(`Coverage of ${componentName} is ${shown} %, and ${least} % are asked for`)
  }
  const isUnmeasured = least !== null && result.codeCoverage.length === 0
  if (isUnmeasured) terminal.note(`There is no coverage, and ${least} % are asked for`)
  const isGood = result.state === 'COMPLETED' || isQuarantined
  return isGood && low.length === 0 && !isUnmeasured ? EXIT.ok : EXIT.failed
}

type Percentage = Result['codeCoverage'][number]

/** Results have whole percentages: lines decide where rounding could. */
async function coverageBelow(
  least: number,
  { id, codeCoverage }: Result,
  client: Client,
): Promise<Percentage[]> {
  const isBelow = (each: Percentage) => each.coveragePercentage < least
  const isNear = codeCoverage.some((each) => Math.abs(each.coveragePercentage - least) <= 0.5)
  if (!isNear) return codeCoverage.filter(isBelow)
  const { executionResult } = await client.graphql<{
    executionResult: { codeCoverage: (Coverage & Percentage)[] } | null
  }>('lines', { id }, { isRepeatable: true })
  return (executionResult?.codeCoverage.map(exact) ?? codeCoverage).filter(isBelow)
}

/** Divides once, so that 287 of 1000 lines are exactly 28.7 %. */
function exact({ hitLines, untouchedLines, ...rounded }: Coverage & Percentage): Percentage {
  const lines = hitLines.length + untouchedLines.length
  return lines === 0 ? rounded : { ...rounded, coveragePercentage: (100 * hitLines.length) / lines }
}
