import { stripVTControlCharacters as plain } from 'node:util'
import { tellApart } from '../tell-apart.ts'
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

/**
 * The JSON of Playwright: each test of a project is a scenario, with Playwright's own verdict; bad runs before the one
 * that decides are tries. What broke outside of tests is a scenario, too. @throws Error
 */
export function readPlaywright(text: string): Scenario[] {
  const report: unknown = JSON.parse(text)
  const { suites, errors, config } = objectIn(report)
  const root = textIn(objectIn(config).rootDir)
  if (!Array.isArray(suites)) throw new Error('it has no suites')
  const scenarios = [
    ...listIn(errors).map((error) => brokenOf(error, root)),
    ...listIn(suites).flatMap((suite) => scenariosIn(suite, [])),
  ]
  // --repeat-each runs a test several times under one name.
  return tellApart(scenarios.map((scenario) => ({ scenario, place: '' })))
}

/** A file that does not load, a global setup that fails, and the like: tests are missing. */
function brokenOf(error: Json, root: string): Scenario {
  const path = textIn(objectIn(error.location).file)
  const file = path.startsWith(root) ? path.slice(root.length).replace(/^[\\/]/, '') : path
  const message = saidBy(error) || 'Playwright reports an error'
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
  const runs = listIn(test.results).map((result) => runOf(result, test))
  const state = verdictOf(test, runs)
  // Retries may be skipped or interrupted, and decide nothing.
  const decides = (run: Run) => (isBad(state) ? isBad(run.state) : run.state === state)
  const decisive = runs.findLastIndex(decides)
  const last = runs.at(decisive) ?? runOf({ status: 'skipped' }, test)
  const earlier = runs.slice(0, Math.max(decisive, 0)).filter((run) => isBad(run.state))
  const message = state === 'COMPLETED' ? '' : last.message
  const name = path.at(-1) || 'Test'
  const logs = [...earlier.map(({ log }, at) => log && `Try ${at + 1}:\n${log}`), last.log]
  return {
    name: `${path.join(' › ')}${project ? ` [${project}]` : ''}` || 'A test without a name',
    ...{ state, message, started: last.started, durationMs: last.durationMs },
    steps: stepsOf(last, { name, state, message }),
    log: logs.filter(Boolean).join('\n'),
    tries: earlier.flatMap((run) => tryOf(run, name)),
  }
}

/** One run of a test. */
interface Run {
  state: State
  message: string
  started: string | null
  durationMs: number
  log: string
  result: Json
}

function runOf(result: Json, test: Json): Run {
  const { status } = result
  const { expectedStatus = 'passed' } = test
  const isUnmet =
    status === 'passed' && (test.status === 'unexpected' || expectedStatus === 'failed')
  const state =
    isUnmet || status !== expectedStatus ? (STATES[textIn(status)] ?? 'FAILED') : 'COMPLETED'
  // The first error stands there once more, without the code around it and with its stack.
  const error = objectIn(result.error)
  const [first = error, ...others] = listIn(result.errors)
  const messages = [saidBy(error) || saidBy(first), ...others.map((each) => headOf(saidBy(each)))]
  const output = [result.stdout, result.stderr].flatMap(listIn).map(outputIn).join('')
  const traces = [{ ...error, ...first }, ...others].map(withPlace)
  return {
    state,
    message: isUnmet
      ? 'Expected to fail, but passed'
      : messages.join('\n\n') || reasonIn(result, test),
    started: timeIn(result.startTime),
    durationMs: durationIn(result.duration),
    log: [output, ...traces].filter(Boolean).join('\n'),
    result,
  }
}

/** Results that are not as their test expects them. */
const STATES: Readonly<Record<string, State>> = {
  skipped: 'SKIPPED',
  interrupted: 'SKIPPED',
}

function verdictOf({ status }: Json, runs: readonly Run[]): State {
  const bad = runs.findLast(({ state }) => isBad(state))?.state
  if (status === 'unexpected') return bad ?? 'FAILED'
  if (status === 'skipped' || runs.every(({ state }) => state === 'SKIPPED')) return 'SKIPPED'
  return status === 'expected' || status === 'flaky' ? 'COMPLETED' : (bad ?? 'COMPLETED')
}

const isBad = (state: State): state is Try['state'] => state === 'FAILED' || state === 'ERROR'

/** Why a test was skipped. */
function reasonIn(result: Json, test: Json): string {
  if (result.status === 'interrupted') return 'The run was interrupted'
  const reason = [result.annotations, test.annotations]
    .flatMap(listIn)
    .find(({ type, description }) => /^(skip|fixme)$/.test(textIn(type)) && textIn(description))
  return textIn(reason?.description)
}

function tryOf(run: Run, name: string): Try[] {
  const { state, message, started, durationMs } = run
  if (!isBad(state)) return []
  return [{ state, message, started, durationMs, steps: stepsOf(run, { name, state, message }) }]
}

/** The steps of a run, and one for its files, which belong to none of them. */
function stepsOf({ result }: Run, whole: Pick<Step, 'name' | 'state' | 'message'>): Step[] {
  const files = listIn(result.attachments).map(fileOf)
  const steps = listIn(result.steps).flatMap(stepsIn)
  return files.length > 0 ? [...steps, { ...whole, durationMs: 0, files }] : steps
}

/** A step, and those within it. */
const stepsIn = (step: Json): Step[] => [
  {
    name: textIn(step.title) || 'Step',
    state: step.error ? 'FAILED' : 'COMPLETED',
    message: saidBy(objectIn(step.error)),
    durationMs: durationIn(step.duration),
    files: [],
  },
  ...listIn(step.steps).flatMap(stepsIn),
]

const saidBy = ({ message, value }: Json): string => plain(textIn(message) || textIn(value))

/** An error with its stack, or the place that it names. */
function withPlace(error: Json): string {
  const said = saidBy(error)
  const { file, line, column } = objectIn(error.location)
  const trace =
    plain(textIn(error.stack)) || (file ? `    at ${[file, line, column].join(':')}` : '')
  if (said.includes(trace.slice(trace.lastIndexOf('\n') + 1).trim())) return said
  return trace.startsWith(said) ? trace : `${said}\n${trace}`
}

/** A text without the code and the calls that Playwright shows below it. */
const headOf = (text: string): string =>
  text
    .split(/\n\s*(?:>? *\d+ \||at \S)/, 1)
    .join('')
    .trim()

/** Bytes that are no text come as Base64. */
const outputIn = ({ text, buffer }: Json): string =>
  plain(textIn(text) || Buffer.from(textIn(buffer), 'base64').toString())

/** Reports that were merged have a hash in the place of a file's name. */
const HASH = /(?:^|[\\/])[0-9a-f]{40}(\.\w+)?$/

function nameOf({ path, name }: Json): string {
  const [, end = ''] = HASH.exec(textIn(path)) ?? []
  const given = textIn(name)
  if (end !== '' && given !== '') return given.endsWith(end) ? given : given + end
  return textIn(path) || given || 'attachment'
}

const fileOf = (file: Json): NamedFile => ({
  name: nameOf(file),
  ...(textIn(file.contentType) && { contentType: textIn(file.contentType) }),
  path: textIn(file.path) || null,
  ...(textIn(file.body) && { base64: textIn(file.body) }),
})
