import { type CodeCoverage, mergeCoverage, percentage } from '../coverage/line-coverage.ts'
import { durationOf, type ReportedResult, type StepTree, stepTree } from './reported-result.ts'
import { writeXml, type XmlNode } from './write-xml.ts'

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
export const xaReport = (result: ReportedResult): Promise<string> => writeXml(nodeOf(result))

const nodeOf = (result: ReportedResult): XmlNode => ({
  name: result.type === 'SUITE' ? 'XaSuiteResult' : 'XaUnitResult',
  attributes: {
    resultType: RESULT_TYPES[result.state],
    id: result.id,
    contextId: result.contextId,
    name: result.contextName,
    executedBy: result.executedBy,
    startTime: time(result.started),
    endTime: time(result.ended),
    duration: durationOf(result),
    errorCode: result.errorCode,
  },
  children: insideOf(result),
})

function* insideOf(result: ReportedResult): Generator<XmlNode> {
  if (result.message) yield { name: 'message', text: result.message }
  const coverage = coverageOf(result)
  // Readers of the report of a suite parse its percentage as an integer.
  if (coverage.length > 0 || result.type === 'SUITE') yield coverageNode(coverage)
  for (const tree of stepTree(result.steps)) yield stepNode(tree)
  for (const failure of result.validationFailures) {
    const { name, stepId, path, assert, datasetRow, message } = failure
    const attributes = { name, step: stepId, path, assert, datasetRow }
    yield { name: 'validationFailure', attributes, text: message }
  }
  for (const member of result.testCaseResults ?? []) yield nodeOf(member)
}

/** A row of the dataset is a `row`, a test that a tool reported a `test`, anything else a `step`. */
function stepNode({ step, inner }: StepTree): XmlNode {
  const { id, name, kind, datasetRow, state, started, ended, durationMs, message } = step
  const times = { startTime: time(started), endTime: time(ended), duration: durationMs }
  return {
    name: kind === 'row' || kind === 'test' ? kind : 'step',
    attributes: { id, name, kind, datasetRow, resultType: RESULT_TYPES[state], ...times },
    text: message,
    children: inner.map(stepNode),
  }
}

/** One `data` element, as readers take the first they find: the total. The components stand beside it. */
function coverageNode(all: readonly CodeCoverage[]): XmlNode {
  const hit = all.reduce((sum, { hitLines }) => sum + hitLines.length, 0)
  const untouched = all.reduce((sum, { untouchedLines }) => sum + untouchedLines.length, 0)
  const total = { level: 'LINE', percentage: percentage(hit, untouched), hit, untouched }
  const components = all.map(
    ({ componentName, coveragePercentage, level, hitLines, untouchedLines }) => {
      const lines = { hit: hitLines.length, untouched: untouchedLines.length }
      const attributes = { name: componentName, level, percentage: coveragePercentage, ...lines }
      return { name: 'component', attributes }
    },
  )
  return { name: 'CC', children: [{ name: 'data', attributes: total }, ...components] }
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
