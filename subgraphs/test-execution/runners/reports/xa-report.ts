import { create } from 'xmlbuilder2'
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js'
import { type CodeCoverage, mergeCoverage, percentage } from '../coverage/line-coverage.ts'
import { durationOf, type ReportedResult, type StepTree, stepTree } from './reported-result.ts'
import { xmlAttributes, xmlText } from './xml-text.ts'

const RESULT_TYPES = {
  RUNNING: 'RUNNING',
  COMPLETED: 'SUCCESS',
  FAILED: 'FAILURE',
  ERROR: 'ERROR',
  SKIPPED: 'SKIPPED',
} as const

/**
 * The XML report that build servers evaluate: `/XaUnitResult/@resultType`, `/XaSuiteResult/@resultType` and
 * `/XaSuiteResult/CC/data/@percentage` (conformance: section "Detailed execution result"). No DTD; times are UTC.
 */
export function xaReport(result: ReportedResult): string {
  const document = create({ version: '1.0', encoding: 'UTF-8' })
  addResult(document, result)
  return document.end({ prettyPrint: true })
}

function addResult(parent: XMLBuilder, result: ReportedResult): void {
  const element = parent.ele(
    result.type === 'SUITE' ? 'XaSuiteResult' : 'XaUnitResult',
    xmlAttributes({
      resultType: RESULT_TYPES[result.state],
      id: result.id,
      contextId: result.contextId,
      name: result.contextName,
      executedBy: result.executedBy,
      startTime: time(result.started),
      endTime: time(result.ended),
      duration: durationOf(result),
      errorCode: result.errorCode,
    }),
  )
  if (result.message) element.ele('message').txt(xmlText(result.message))
  addCoverage(element, coverageOf(result))
  for (const tree of stepTree(result.steps)) addStep(element, tree)
  for (const failure of result.validationFailures) {
    const { name, stepId, path, assert, datasetRow, message } = failure
    const attributes = { name, step: stepId, path, assert, datasetRow }
    element.ele('validationFailure', xmlAttributes(attributes)).txt(xmlText(message))
  }
  for (const member of result.testCaseResults ?? []) addResult(element, member)
}

/** A row of the dataset is a `row`, a test that a tool reported a `test`, anything else a `step`. */
function addStep(parent: XMLBuilder, { step, inner }: StepTree): void {
  const { id, name, kind, datasetRow, state, started, ended, durationMs, message } = step
  const times = { startTime: time(started), endTime: time(ended), duration: durationMs }
  const attributes = { id, name, kind, datasetRow, resultType: RESULT_TYPES[state], ...times }
  const tag = kind === 'row' || kind === 'test' ? kind : 'step'
  const element = parent.ele(tag, xmlAttributes(attributes))
  if (message) element.txt(xmlText(message))
  for (const each of inner) addStep(element, each)
}

/** One `data` element, as readers take the first they find: the total. The components stand beside it. */
function addCoverage(parent: XMLBuilder, all: CodeCoverage[]): void {
  if (all.length === 0) return
  const hit = all.reduce((sum, { hitLines }) => sum + hitLines.length, 0)
  const untouched = all.reduce((sum, { untouchedLines }) => sum + untouchedLines.length, 0)
  const total = { level: 'LINE', percentage: percentage(hit, untouched), hit, untouched }
  const element = parent.ele('CC')
  element.ele('data', xmlAttributes(total))
  for (const { componentName, coveragePercentage, level, hitLines, untouchedLines } of all) {
    const lines = { hit: hitLines.length, untouched: untouchedLines.length }
    const attributes = { name: componentName, level, percentage: coveragePercentage, ...lines }
    element.ele('component', xmlAttributes(attributes))
  }
}

/** A suite that carries none of its own shows what its members ran together. */
const coverageOf = ({ codeCoverage, testCaseResults = [] }: ReportedResult): CodeCoverage[] =>
  mergeCoverage(
    codeCoverage.length > 0
      ? codeCoverage
      : testCaseResults.flatMap((member) => coverageOf(member)),
  )

/** `yyyyMMdd-HH-mm-ss` */
function time(at: Date | string | null): string | null {
  if (at === null) return null
  const [date = '', clock = ''] = new Date(at).toISOString().slice(0, 19).split('T')
  return `${date.replaceAll('-', '')}-${clock.replaceAll(':', '-')}`
}
