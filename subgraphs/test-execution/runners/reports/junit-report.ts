import { durationOf, type ReportedResult, type ReportedStep } from './reported-result.ts'
import { writeXml, type XmlNode } from './write-xml.ts'

interface Case {
  name: string
  /** Name of the scenario. */
  classname: string
  state: ReportedStep['state']
  durationMs: number
  message: string
  /** What kind of failure or error it is. */
  type: string
  /** One line for each failure. */
  reasons: string[]
}

/**
 * JUnit XML as build servers read it: a suite is a `testsuite`; an execution of a scenario, each row of its dataset and
 * each test that a tool reported is a `testcase`.
 */
export function junitReport(result: ReportedResult): Promise<string> {
  const cases = casesOf(result)
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
  const suite = { name: 'testsuite', attributes, children: cases.map(caseNode) }
  return writeXml({ name: 'testsuites', attributes: { name, ...counts }, children: [suite] })
}

function caseNode({ name, classname, state, durationMs, message, type, reasons }: Case): XmlNode {
  const faults: Partial<Record<Case['state'], XmlNode>> = {
    SKIPPED: { name: 'skipped', attributes: { message } },
    ERROR: { name: 'error', attributes: { message, type } },
    FAILED: { name: 'failure', attributes: { message, type }, text: reasons.join('\n') },
  }
  const fault = faults[state]
  const attributes = { name, classname, time: seconds(durationMs) }
  return { name: 'testcase', attributes, children: fault ? [fault] : [] }
}

function casesOf(result: ReportedResult): Case[] {
  if (result.type === 'SUITE')
    return [
      ...(result.testCaseResults ?? []).flatMap(casesOf),
      ...(result.skipped ?? []).map(skippedCase),
    ]
  const rows = result.steps.filter(({ id, path = id, kind }) => kind === 'row' && path === id)
  const failures = Map.groupBy(result.validationFailures, ({ datasetRow }) => datasetRow)
  const tests = result.steps.filter(({ kind }) => kind === 'test')
  const isTold =
    rows.length > 0 &&
    (result.state === 'COMPLETED' ||
      rows.some(({ state }) => state === 'FAILED' || state === 'ERROR'))
  return [
    ...(isTold ? [] : [scenarioCase(result)]),
    ...rows.map((row) => rowCase(result, row, failures.get(row.datasetRow ?? null))),
    ...tests.map((test) => stepCase(result, test, 'test')),
  ]
}

const skippedCase = (name: string): Case => ({
  name,
  classname: name,
  state: 'SKIPPED',
  durationMs: 0,
  message: 'The suite ended before it began',
  type: 'SKIPPED',
  reasons: [],
})

function scenarioCase(result: ReportedResult): Case {
  const { contextName: name, message, state, validationFailures } = result
  const error = result.errorCode ?? 'ERROR'
  return {
    name,
    classname: name,
    state: state === 'RUNNING' ? 'SKIPPED' : state,
    durationMs: durationOf(result) ?? 0,
    message: message ?? '',
    type: state === 'ERROR' ? error : (validationFailures[0]?.assert ?? 'FAILED'),
    reasons: reasonsOf(validationFailures),
  }
}

function rowCase(
  result: ReportedResult,
  row: ReportedStep,
  failures: ReportedResult['validationFailures'] = [],
): Case {
  const type = failures[0]?.assert ?? row.state
  return { ...stepCase(result, row, type), reasons: reasonsOf(failures) }
}

const stepCase = (
  { contextName }: ReportedResult,
  { name, state, durationMs, message }: ReportedStep,
  type: string,
): Case => ({
  name,
  classname: contextName,
  state,
  durationMs: durationMs ?? 0,
  message: message ?? '',
  type,
  reasons: [message ?? ''],
})

const reasonsOf = (failures: ReportedResult['validationFailures']): string[] =>
  failures.map(({ stepId, message }) => `${stepId}: ${message}`)

const seconds = (ms: number): string => (ms / 1000).toFixed(3)
