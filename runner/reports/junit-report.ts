import {
  durationOf,
  type ReportedResult,
  type ReportedStep,
  type ReportedTry,
} from './reported-result.ts'
import { uniqueCases } from './unique-cases.ts'
import { writeXml, type XmlNode } from './write-xml.ts'

interface Case {
  name: string
  /** Name of the scenario. */
  classname: string
  environment?: string | null
  /** Surroundings of the test: its row, or the step that reported it. */
  place?: string
  state: ReportedStep['state']
  durationMs: number
  message: string
  /** Kind of failure or error. */
  type: string
  /** One line for each failure. */
  reasons: string[]
  /** Tries before the last one of a scenario that ran more than once. */
  tries?: readonly ReportedTry[]
  properties?: Properties
  systemOut?: string
  files?: readonly string[]
}

type Properties = Readonly<Record<string, string | null>>

/**
 * JUnit XML as build servers read it: a suite is a `testsuite`; an execution of a scenario, each row of its dataset and
 * each test that a tool reported is a `testcase`, as is a broken teardown step behind a broken row. Earlier tries are written as Maven Surefire does, which Jenkins reads.
 */
export function junitReport(result: ReportedResult): Promise<string> {
  const cases = uniqueCases(casesOf(result))
  const count = (state: Case['state']) => cases.filter((each) => each.state === state).length
  const counts = {
    tests: cases.length,
    failures: count('FAILED'),
    errors: count('ERROR'),
    skipped: count('SKIPPED'),
    time: seconds(durationOf(result) ?? 0),
  }
  const { id, contextName: name } = result
  const timestamp = result.started.toISOString().slice(0, 19)
  const attributes = { id, name, timestamp, ...counts }
  const children = [...propertiesNode(propertiesOf(result)), ...cases.map(caseNode)]
  const suite = { name: 'testsuite', attributes, children }
  return writeXml({ name: 'testsuites', attributes: { name, ...counts }, children: [suite] })
}

function caseNode(each: Case): XmlNode {
  const { name, classname, state, durationMs, message, type, reasons, tries = [] } = each
  const { systemOut: text, files = [] } = each
  const faults: Partial<Record<Case['state'], XmlNode>> = {
    SKIPPED: { name: 'skipped', attributes: { message } },
    ERROR: { name: 'error', attributes: { message, type } },
    FAILED: { name: 'failure', attributes: { message, type }, text: reasons.join('\n') },
  }
  const fault = faults[state]
  const attributes = { name, classname, time: seconds(durationMs) }
  const prefix = state === 'COMPLETED' ? 'flaky' : 'rerun'
  const children = [
    ...propertiesNode(each.properties ?? {}),
    ...(fault ? [fault] : []),
    ...(state === 'SKIPPED' ? [] : tries.map((tried) => tryNode(tried, prefix))),
    ...(text || files.length > 0 ? [{ name: 'system-out', text, files }] : []),
  ]
  return { name: 'testcase', attributes, children }
}

const tryNode = (tried: ReportedTry, prefix: 'flaky' | 'rerun'): XmlNode => ({
  name: `${prefix}${tried.state === 'ERROR' ? 'Error' : 'Failure'}`,
  attributes: { message: tried.message, type: typeOf(tried) },
  children: [{ name: 'stackTrace', text: reasonsOf(tried.validationFailures).join('\n') }],
})

const propertiesNode = (properties: Properties): XmlNode[] => {
  const given = Object.entries(properties).filter(([, value]) => value !== null)
  if (given.length === 0) return []
  const children = given.map(([name, value]) => ({ name: 'property', attributes: { name, value } }))
  return [{ name: 'properties', children }]
}

/** Labels under their own names, behind those of the product. */
const propertiesOf = (result: ReportedResult): Properties => ({
  resultId: result.id,
  environment: result.environmentId ?? null,
  revision: result.revisionDigest || null,
  ...(result.isQuarantined && { quarantine: 'true' }),
  ...result.labels,
})

function casesOf(result: ReportedResult): Case[] {
  if (result.type === 'SUITE') {
    const cases = [
      ...(result.testCaseResults ?? []).flatMap(casesOf),
      ...(result.skipped ?? []).map(skippedCase),
    ]
    // A suite is broken by more than its scenarios: a cancel, or a scenario in quarantine that others need.
    const isBroken = isBad(result) && !cases.some(isBad)
    return isBroken ? [...cases, scenarioCase(result)] : cases
  }
  const rows = result.steps.filter(({ id, path = id, kind }) => kind === 'row' && path === id)
  const failures = Map.groupBy(result.validationFailures, ({ datasetRow }) => datasetRow)
  const isRowBroken = rows.some(({ state }) => state === 'ERROR')
  const [first, ...more] = [
    ...(isShownBy(rows, result) ? [] : [scenarioCase(result)]),
    ...rows.map((row) => rowCase(result, row, failures.get(row.datasetRow ?? null))),
    ...(isRowBroken ? brokenSteps(result) : []),
    ...testCases(result),
  ]
    .map((each) => (result.isQuarantined ? inQuarantine(each) : each))
    .map((each) => ({ ...each, environment: result.environmentId ?? null }))
  if (!first) return []
  // Once for each scenario: rows and tests share its environment, log and files.
  const own = {
    properties: propertiesOf(result),
    systemOut: result.systemOut ?? '',
    files: result.files ?? [],
  }
  return [{ ...first, ...own }, ...more]
}

/** True if rows show all that became of their scenario: setup, teardown and earlier tries belong to none. */
const isShownBy = (
  rows: readonly ReportedStep[],
  { state, tries = [], validationFailures }: ReportedResult,
): boolean =>
  rows.length > 0 &&
  tries.length === 0 &&
  (state === 'COMPLETED' || rows.some((row) => row.state === state)) &&
  validationFailures.every(({ datasetRow }) => datasetRow !== null)

/** Steps outside of rows, as those of a teardown: the error of a scenario is that of its first row with one. */
const brokenSteps = (result: ReportedResult): Case[] =>
  result.steps
    .filter(({ id, path = id, kind }) => kind !== 'row' && path === id)
    .flatMap((step) => (step.errorCode ? [stepCase(result, step, step.errorCode)] : []))

/** Build servers know no quarantine: a failure that counts would break the build. */
const inQuarantine = (each: Case): Case => uncounted(each, 'Quarantined')

const isBad = ({ state }: Pick<Case, 'state'>): boolean => state === 'FAILED' || state === 'ERROR'

const uncounted = (each: Case, reason: string): Case =>
  isBad(each) ? { ...each, state: 'SKIPPED', message: `${reason}: ${each.message}` } : each

/**
 * Tests that tools reported. One that failed in an `optional` or `negative` step is no failure of the scenario. There may
 * be thousands, and as many failures.
 */
function testCases(result: ReportedResult): Case[] {
  const tests = result.steps.filter(({ kind }) => kind === 'test')
  const counted = new Set(
    result.validationFailures.map(
      (each) => each.stepPath ?? placeOf(each.stepId, each.datasetRow, each.name),
    ),
  )
  return tests.map((test) => {
    const { id, path = id, name, datasetRow = null } = test
    const places = [path, placeOf(id, datasetRow, name)]
    const own = stepCase(result, test, 'test')
    // An ERROR may have cut off what was to count.
    const counts = result.state === 'ERROR' || places.some((place) => counted.has(place))
    return counts ? own : uncounted(own, 'Not counted, its step is optional or negative')
  })
}

const placeOf = (stepId: string, datasetRow: number | null, name: string | null | undefined) =>
  `${stepId}\n${datasetRow}\n${name}`

const skippedCase = ({ name, reason }: { name: string; reason: string }): Case => ({
  name,
  classname: name,
  state: 'SKIPPED',
  durationMs: 0,
  message: reason,
  type: 'SKIPPED',
  reasons: [],
})

function scenarioCase(result: ReportedResult): Case {
  const { contextName: name, message, state, validationFailures, tries } = result
  return {
    name,
    classname: name,
    state: state === 'RUNNING' ? 'SKIPPED' : state,
    durationMs: durationOf(result) ?? 0,
    message: message ?? '',
    type: typeOf(result),
    reasons: reasonsOf(validationFailures),
    ...(tries && { tries }),
  }
}

const typeOf = ({
  state,
  errorCode,
  validationFailures: [first],
}: Pick<ReportedResult, 'state' | 'errorCode' | 'validationFailures'>): string =>
  state === 'ERROR' ? (errorCode ?? 'ERROR') : (first?.assert ?? 'FAILED')

function rowCase(
  result: ReportedResult,
  row: ReportedStep,
  failures: ReportedResult['validationFailures'] = [],
): Case {
  const type = row.errorCode ?? failures[0]?.assert ?? row.state
  return { ...stepCase(result, row, type), reasons: reasonsOf(failures) }
}

const stepCase = (
  { contextName }: ReportedResult,
  { id, path = id, name, kind, state, durationMs, message, tries = [] }: ReportedStep,
  type: string,
): Case => ({
  name,
  classname: contextName,
  place: kind === 'test' ? path.replace(/\/?[^/]*$/, '') : path,
  state,
  durationMs: durationMs ?? 0,
  message: message ?? '',
  type,
  reasons: [message ?? ''],
  tries: tries.map((tried) => ({ ...tried, errorCode: null, validationFailures: [] })),
})

const reasonsOf = (failures: ReportedResult['validationFailures']): string[] =>
  failures.map(({ stepId, message }) => `${stepId}: ${message}`)

const seconds = (ms: number): string => (ms / 1000).toFixed(3)
