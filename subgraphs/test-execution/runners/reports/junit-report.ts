import { create } from 'xmlbuilder2'
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js'
import { durationOf, type ReportedResult } from './reported-result.ts'
import { xmlAttributes, xmlText } from './xml-text.ts'

/** JUnit XML as build servers read it: a suite is a `testsuite`, an execution of a scenario a `testcase`. */
export function junitReport(result: ReportedResult): string {
  const cases = casesOf(result)
  const counts = {
    tests: cases.length,
    failures: cases.filter(({ state }) => state === 'FAILED').length,
    errors: cases.filter(({ state }) => state === 'ERROR').length,
    skipped: 0,
    time: seconds(result),
  }
  const document = create({ version: '1.0', encoding: 'UTF-8' })
  const suites = document.ele('testsuites', xmlAttributes({ name: result.contextName, ...counts }))
  const timestamp = result.started.toISOString().slice(0, 19)
  const attributes = { id: result.id, name: result.contextName, timestamp, ...counts }
  const suite = suites.ele('testsuite', xmlAttributes(attributes))
  for (const each of cases) addCase(suite, each, result.contextName)
  return document.end({ prettyPrint: true })
}

function addCase(suite: XMLBuilder, result: ReportedResult, classname: string): void {
  const attributes = { name: result.contextName, classname, time: seconds(result) }
  const element = suite.ele('testcase', xmlAttributes(attributes))
  const message = result.message ?? ''
  if (result.state === 'ERROR') {
    element.ele('error', xmlAttributes({ message, type: result.errorCode ?? 'ERROR' }))
  }
  if (result.state === 'FAILED') {
    const type = result.validationFailures[0]?.assert ?? 'FAILED'
    const reasons = result.validationFailures.map(
      (failure) => `${failure.stepId}: ${failure.message}`,
    )
    element.ele('failure', xmlAttributes({ message, type })).txt(xmlText(reasons.join('\n')))
  }
}

const casesOf = (result: ReportedResult): ReportedResult[] =>
  result.type === 'TEST' ? [result] : (result.testCaseResults ?? []).flatMap(casesOf)

const seconds = (result: ReportedResult) => ((durationOf(result) ?? 0) / 1000).toFixed(3)
