import {
  durationIn,
  type Json,
  listIn,
  type NamedFile,
  objectIn,
  type Scenario,
  type State,
  type Step,
  type Try,
  textIn,
  timeIn,
} from './scenario.ts'

const STATES: Readonly<Record<string, State>> = {
  passed: 'COMPLETED',
  failed: 'FAILED',
  skipped: 'SKIPPED',
  timedOut: 'ERROR',
  interrupted: 'ERROR',
}

/**
 * The JSON of Playwright: each test of a project is a scenario; results before its last one are tries. What broke outside
 * of tests is a scenario, too. @throws Error
 */
export function readPlaywright(text: string): Scenario[] {
  const report: unknown = JSON.parse(text)
  const { suites, errors, config } = objectIn(report)
  const root = textIn(objectIn(config).rootDir)
  if (!Array.isArray(suites)) throw new Error('it has no suites')
  return [
    ...listIn(errors).map((error) => brokenOf(error, root)),
    ...listIn(suites).flatMap((suite) => scenariosIn(suite, [])),
  ]
}

/** A file that does not load, a global setup that fails, and the like: tests are missing. */
function brokenOf(error: Json, root: string): Scenario {
  const path = textIn(objectIn(error.location).file)
  const file = path.startsWith(root) ? path.slice(root.length).replace(/^[\\/]/, '') : path
  const message =
    plain(textIn(error.message) || textIn(error.value)) || 'Playwright reports an error'
  return {
    ...{ name: file || 'Playwright', state: 'ERROR', message, started: null, durationMs: 0 },
    ...{ steps: [], log: plain(textIn(error.stack)), tries: [] },
  }
}

function scenariosIn(suite: Json, around: readonly string[]): Scenario[] {
  const path = [...around, textIn(suite.title)].filter(Boolean)
  const own = listIn(suite.specs).flatMap((spec) =>
    listIn(spec.tests).map((test) => scenarioOf(test, [...path, textIn(spec.title)])),
  )
  return [...own, ...listIn(suite.suites).flatMap((each) => scenariosIn(each, path))]
}

function scenarioOf(test: Json, path: readonly string[]): Scenario {
  const project = textIn(test.projectName)
  const results = listIn(test.results).map((each) => judged(each, test))
  const result = results.at(-1) ?? {}
  // What fails as its test expects is good.
  const isExpected = test.status === 'expected' || test.status === 'flaky'
  const own = STATES[textIn(result.status)] ?? 'SKIPPED'
  const state = isExpected && own !== 'SKIPPED' ? 'COMPLETED' : own
  const message = state === 'COMPLETED' ? '' : messageOf(result)
  const durationMs = durationIn(result.duration)
  const name = path.at(-1) || 'Test'
  return {
    name: `${path.join(' › ')}${project ? ` [${project}]` : ''}` || 'A test without a name',
    ...{ state, message, started: timeIn(result.startTime), durationMs },
    steps: stepsOf(result, { name, state, message }),
    log: [result.stdout, result.stderr]
      .flatMap(listIn)
      .map((each) => plain(textIn(each.text)))
      .join(''),
    tries: state === 'SKIPPED' ? [] : results.slice(0, -1).flatMap((each) => tryOf(each, name)),
  }
}

/** What passes although its test is marked with `test.fail()` has failed. */
const judged = (result: Json, { status, expectedStatus }: Json): Json =>
  result.status === 'passed' && (status === 'unexpected' || expectedStatus === 'failed')
    ? { ...result, status: 'failed', error: { message: 'Expected to fail, but passed' } }
    : result

function tryOf(result: Json, name: string): Try[] {
  const state = STATES[textIn(result.status)] ?? 'ERROR'
  if (state !== 'FAILED' && state !== 'ERROR') return []
  const message = messageOf(result)
  const [started, durationMs] = [timeIn(result.startTime), durationIn(result.duration)]
  return [{ state, message, started, durationMs, steps: stepsOf(result, { name, state, message }) }]
}

/** The steps of a result, and one for its files, which belong to none of them. */
function stepsOf(result: Json, whole: Pick<Step, 'name' | 'state' | 'message'>): Step[] {
  const files = listIn(result.attachments).map(fileOf)
  const steps = listIn(result.steps).map(stepOf)
  return files.length > 0 ? [...steps, { ...whole, durationMs: 0, files }] : steps
}

const stepOf = (step: Json): Step => ({
  name: textIn(step.title) || 'Step',
  state: step.error ? 'FAILED' : 'COMPLETED',
  message: messageOf(step),
  durationMs: durationIn(step.duration),
  files: [],
})

const messageOf = ({ error }: Json): string => plain(textIn(objectIn(error).message))

const fileOf = (file: Json): NamedFile => ({
  name: textIn(file.path) || textIn(file.name) || 'attachment',
  ...(textIn(file.contentType) && { contentType: textIn(file.contentType) }),
  path: textIn(file.path) || null,
  ...(textIn(file.body) && { base64: textIn(file.body) }),
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal begin with one
const COLOURS = /\u001b\[[0-9;]*m/g
const plain = (text: string): string => text.replace(COLOURS, '')
