import { lastRun } from '../junit/merge-reruns.ts'
import { type Placed, tellApart } from '../tell-apart.ts'
import {
  embeddedFile,
  isBad,
  isLog,
  judgedStep,
  logOf,
  outcomeOf,
  type RunStep,
} from './cucumber-steps.ts'
import {
  durationIn,
  type Json,
  listIn,
  objectIn,
  type Scenario,
  type Try,
  textIn,
  timeIn,
  tryOf,
} from './scenario.ts'

/** True for the messages of Cucumber: JSON documents, one a line, each of one key. */
export const isMessages = (text: string): boolean =>
  /^\s*\{\s*"(meta|source|gherkinDocument|pickle|parseError|testRunStarted|stepDefinition|parameterType|hook|attachment)"\s*:/.test(
    text,
  )

/** All that the messages of one kind name, by their ids. */
type Index = ReadonlyMap<string, Json>

/** One run of a test case. */
interface Attempt {
  id: string
  testCase: string
  started: Json
  isFinished: boolean
  results: Map<string, Json>
  attachments: Json[]
}

/** The messages of Cucumber, of which a scenario may have run several times. @throws Error that names the line */
export function readMessages(text: string): Scenario[] {
  const messages = text
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [messageIn(line, at)]))
  const all = (kind: string) => messages.flatMap((each) => listIn([each[kind]]))
  const byId = (kind: string): Index => new Map(all(kind).map((each) => [textIn(each.id), each]))
  const pickles = byId('pickle')
  const hooks = byId('hook')
  const { keywords, names } = gherkinIn(all('gherkinDocument'))
  const attempts = attemptsIn(all)

  const stepsOf = (testCase: Json, attempt: Attempt): RunStep[] =>
    listIn(testCase.testSteps).map((step) => {
      const meant = objectIn(
        listIn(pickles.get(textIn(testCase.pickleId))?.steps).find(
          ({ id }) => id === step.pickleStepId,
        ),
      )
      const [node = ''] = Array.isArray(meant.astNodeIds) ? meant.astNodeIds.map(textIn) : []
      const name =
        `${keywords.get(node) ?? ''}${textIn(meant.text)}` ||
        textIn(hooks.get(textIn(step.hookId))?.name)
      return stepOf(
        name,
        attempt.results.get(textIn(step.id)) ?? { status: 'untested' },
        attempt.attachments.filter(({ testStepId }) => testStepId === step.id),
      )
    })

  const placed = all('testCase').flatMap((testCase): Placed<Scenario>[] => {
    const pickle = objectIn(pickles.get(textIn(testCase.pickleId)))
    const [node = ''] = Array.isArray(pickle.astNodeIds) ? pickle.astNodeIds.map(textIn) : []
    const name = [...(names.get(node) ?? []), textIn(pickle.name)].filter(Boolean).join(' › ')
    const runs = attempts
      .filter((each) => each.testCase === testCase.id)
      .map((attempt) => runOf(attempt, stepsOf(testCase, attempt)))
    const named = (runs.length > 0 ? runs : [NOT_RUN]).map((run) => ({
      ...run,
      ...{ name: name || 'A scenario', tries: [] as Try[] },
    }))
    return lastRun(named, tryOf).map((scenario) => ({ scenario, place: textIn(pickle.uri) }))
  })
  const scenarios = [
    ...all('parseError').map(parseErrorOf),
    ...runHooksIn(all, hooks),
    ...tellApart(placed),
  ]
  return [...unfinished(all('testRunFinished'), scenarios), ...scenarios]
}

function messageIn(line: string, at: number): Json {
  try {
    return objectIn(JSON.parse(line))
  } catch {
    throw new Error(`line ${at + 1} is no JSON`)
  }
}

/** Keywords of steps, and names of features and rules around scenarios, by the ids of their nodes. */
function gherkinIn(documents: readonly Json[]) {
  const keywords = new Map<string, string>()
  const names = new Map<string, string[]>()
  const visit = (children: unknown, around: string[]) => {
    for (const child of listIn(children)) {
      const [rule] = listIn([child.rule])
      if (rule) visit(rule.children, [...around, textIn(rule.name)])
      for (const { id, steps } of listIn([child.scenario, child.background])) {
        names.set(textIn(id), around)
        for (const step of listIn(steps)) keywords.set(textIn(step.id), textIn(step.keyword))
      }
    }
  }
  for (const { feature } of documents) {
    const { name, children } = objectIn(feature)
    visit(children, [textIn(name)])
  }
  return { keywords, names }
}

function attemptsIn(all: (kind: string) => Json[]): Attempt[] {
  const attempts = new Map(
    all('testCaseStarted').map((started): [string, Attempt] => {
      const [id, testCase] = [textIn(started.id), textIn(started.testCaseId)]
      return [id, { id, testCase, started, isFinished: false, results: new Map(), attachments: [] }]
    }),
  )
  const attemptOf = ({ testCaseStartedId }: Json) => attempts.get(textIn(testCaseStartedId))
  for (const each of all('testStepFinished'))
    attemptOf(each)?.results.set(textIn(each.testStepId), objectIn(each.testStepResult))
  for (const each of all('attachment')) attemptOf(each)?.attachments.push(each)
  for (const each of all('testCaseFinished')) {
    const attempt = attemptOf(each)
    if (attempt) attempt.isFinished = true
  }
  return [...attempts.values()]
}

const NOT_RUN = {
  ...{ state: 'SKIPPED' as const, message: 'It did not run', started: null, durationMs: 0 },
  ...{ steps: [], log: '' },
}

function runOf(
  { started, isFinished }: Attempt,
  steps: readonly RunStep[],
): Omit<Scenario, 'name' | 'tries'> {
  const outcome = outcomeOf(steps)
  const isCut = !isFinished && !isBad(outcome)
  return {
    ...(isCut ? { state: 'ERROR', message: 'The run ended within the scenario' } : outcome),
    started: timeOf(objectIn(started.timestamp)),
    durationMs: steps.reduce((sum, { durationMs }) => sum + durationMs, 0),
    steps: steps.map(({ output, ...step }) => step),
    log: logOf(steps),
  }
}

function stepOf(
  name: string,
  { status, message, duration }: Json,
  attachments: readonly Json[],
): RunStep {
  const { seconds, nanos } = objectIn(duration)
  return judgedStep(textIn(status), {
    name,
    message: textIn(message),
    durationMs: durationIn(Number(seconds) * 1_000 + Number(nanos) / 1e6),
    files: attachments.map(fileOf),
    output: attachments
      .filter((each) => isLog(textIn(each.mediaType)))
      .map(({ body }) => textIn(body))
      .join('\n'),
  })
}

function fileOf({ body, contentEncoding, mediaType, fileName, url }: Json, at: number) {
  const isText = contentEncoding !== 'BASE64'
  const data = isText ? Buffer.from(textIn(body)).toString('base64') : textIn(body)
  const file = embeddedFile({ data, contentType: textIn(mediaType), name: textIn(fileName) }, at)
  return body === '' && url ? { ...file, path: textIn(url), base64: undefined } : file
}

const timeOf = ({ seconds, nanos }: Json): string | null => {
  const time = new Date(Number(seconds) * 1_000 + Number(nanos) / 1e6)
  return Number.isNaN(time.getTime()) ? null : timeIn(time.toISOString())
}

const brokenOf = (name: string, message: string): Scenario => ({
  ...NOT_RUN,
  ...{ name, state: 'ERROR', message, tries: [] },
})

/** A feature that cannot be read has no scenarios. */
const parseErrorOf = ({ source, message }: Json): Scenario =>
  brokenOf(textIn(objectIn(source).uri) || 'A feature', textIn(message))

/** Hooks before and after all scenarios, where they failed. */
function runHooksIn(all: (kind: string) => Json[], hooks: Index): Scenario[] {
  const begun = new Map(all('testRunHookStarted').map((each) => [each.id, textIn(each.hookId)]))
  return all('testRunHookFinished').flatMap(({ result, testRunHookStartedId }) => {
    const hook = hooks.get(begun.get(testRunHookStartedId) ?? '')
    const name =
      textIn(hook?.name) || (hook?.type === 'AFTER_TEST_RUN' ? 'After all' : 'Before all')
    const step = stepOf(name, objectIn(result), [])
    return isBad(step) ? [brokenOf(name, step.message)] : []
  })
}

/** The verdict of Cucumber, where no scenario says the same. */
function unfinished([finished]: readonly Json[], scenarios: readonly Scenario[]): Scenario[] {
  if (!finished) return [brokenOf('Cucumber', 'The run did not end')]
  const isUnsaid = finished.success === false && !scenarios.some(isBad)
  if (!isUnsaid) return []
  return [brokenOf('Cucumber', textIn(finished.message) || 'The run failed, and no scenario did')]
}
