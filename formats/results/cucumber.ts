import { lastRun } from '../junit/merge-reruns.ts'
import type { ReportOptions } from '../junit/reported-test.ts'
import { tellApart } from '../tell-apart.ts'
import { isMessages, readMessages } from './cucumber-messages.ts'
import {
  embeddedFile,
  isBad,
  isLog,
  isSkipped,
  judgedStep,
  linesIn,
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
  type State,
  textIn,
  timeIn,
  tryOf,
} from './scenario.ts'

/**
 * The JSON of Cucumber, also in the dialect of behave: each element of a feature is a scenario or its background. Its
 * messages, one a line, are read as well. @throws Error
 */
export function readCucumber(text: string, { zone }: ReportOptions = {}): Scenario[] {
  if (isMessages(text)) return readMessages(text)
  const features: unknown = JSON.parse(text)
  if (!Array.isArray(features)) throw new Error('expected a list of features, or messages')
  return tellApart(
    listIn(features).flatMap((feature) => {
      const place = textIn(feature.uri) || textIn(feature.location).replace(/:\d+$/, '')
      return scenariosIn(feature, zone).map((scenario) => ({ scenario, place }))
    }),
  )
}

/** A background stands before each of its scenarios, or once before all, which are skipped where it failed. */
function scenariosIn(feature: Json, zone?: string): Scenario[] {
  let background: RunStep[] = []
  let isNext = false
  const runs = new Map<string, Ruled[]>()
  for (const [at, element] of listIn(feature.elements).entries()) {
    const steps = stepsOf(element)
    if (element.type === 'background') {
      background = isNext ? [...background, ...steps] : steps
      isNext = true
      continue
    }
    const isShared = isNext || areSkipped(steps)
    isNext = false
    const started = timeIn(element.start_timestamp, zone)
    const whole = scenarioOf(element, feature, isShared ? background : [], steps)
    const scenario = { ...whole, started, rule: ruleIn(textIn(element.id)) }
    // Cucumber for Ruby writes each try of a scenario as an element of its own; rows of an outline have other steps.
    const { id, line } = element
    const own = listIn(element.steps).map(({ name }) => name)
    const key = id && line ? JSON.stringify([id, line, own]) : String(at)
    runs.set(key, [...(runs.get(key) ?? []), scenario])
  }
  return namedByRule([...runs.values()].flatMap((tries) => lastRun(tries, tryOf)))
}

/** The rule stands between the feature and the scenario where others of that name are in none, or in another. */
function namedByRule(tests: readonly Ruled[]): Scenario[] {
  const rules = new Map<string, Set<string>>()
  for (const { name, rule } of tests) rules.set(name, (rules.get(name) ?? new Set()).add(rule))
  return tests.map(({ rule, ...test }) => {
    const isAlike = (rules.get(test.name)?.size ?? 0) > 1
    const at = test.name.lastIndexOf(' › ')
    return isAlike && rule !== '' && at >= 0
      ? { ...test, name: `${test.name.slice(0, at)} › ${rule}${test.name.slice(at)}` }
      : test
  })
}

interface Ruled extends Scenario {
  rule: string
}

/** An id has the words of the feature, the rule and the scenario; rows of outlines have a fourth part in some tools. */
const ruleIn = (id: string): string => /^[^;]*;([^;]+);[^;]+$/.exec(id)?.[1] ?? ''

/** Steps and hooks; a background without results only declares its steps. */
const stepsOf = ({ before, steps, after, type, ...element }: Json): RunStep[] => {
  // The dialect of behave has seconds in place of nanoseconds, and no result of a step that did not run.
  const read = (step: Json) => stepOf(step, element.location !== undefined)
  return [
    ...listIn(before).map(read),
    ...listIn(steps)
      .filter(({ result }) => result || type !== 'background')
      .flatMap((step) => [
        ...listIn(step.before).map(read).filter(isBad),
        read(step),
        ...listIn(step.after).map(read).filter(isBad),
      ]),
    ...listIn(after).map(read),
  ]
}

const areSkipped = (steps: readonly RunStep[]): boolean =>
  steps.length > 0 && steps.every(isSkipped)

function scenarioOf(element: Json, feature: Json, background: RunStep[], own: RunStep[]) {
  const steps = [...background, ...own]
  return {
    name:
      [textIn(feature.name), textIn(element.name).trim()].filter(Boolean).join(' › ') ||
      'A scenario',
    ...judged(element, outcomeOf(steps, own)),
    durationMs: steps.reduce((sum, { durationMs }) => sum + durationMs, 0),
    steps: steps.map(({ output, ...step }) => step),
    log: logOf(steps),
    tries: [],
  }
}

/** Words of behave for a whole scenario, whose hooks it does not write. */
const VERDICTS: Readonly<Record<string, State>> = {
  skipped: 'SKIPPED',
  untested: 'SKIPPED',
  failed: 'FAILED',
  error: 'ERROR',
  hook_error: 'ERROR',
  cleanup_error: 'ERROR',
}

function judged({ status }: Json, outcome: Pick<Scenario, 'state' | 'message'>) {
  const state = VERDICTS[textIn(status)]
  if (state === undefined) return outcome
  const isUnsaid = isBad({ state }) && outcome.message === ''
  const message = isUnsaid ? `The scenario is ${status}, and none of its steps is` : outcome.message
  return { state, message }
}

function stepOf(step: Json, isBehave: boolean): RunStep {
  const { status, duration, error_message: fault } = objectIn(step.result)
  const embeddings = listIn(step.embeddings).map((each) => ({
    data: textIn(each.data),
    contentType: textIn(each.mime_type) || textIn(objectIn(each.media).type),
    name: textIn(each.name),
  }))
  const files = embeddings.map(embeddedFile)
  const given = {
    name: [textIn(step.keyword), textIn(step.name)].join(isBehave ? ' ' : ''),
    message: linesIn(fault),
    durationMs: durationIn(Number(duration) * (isBehave ? 1_000 : 1e-6)),
    files,
    output: [
      linesIn(step.output),
      ...embeddings.flatMap(({ contentType }, at) =>
        isLog(contentType) ? [Buffer.from(files[at]?.base64 ?? '', 'base64').toString()] : [],
      ),
    ]
      .filter(Boolean)
      .join('\n'),
  }
  const { location } = objectIn(step.match)
  return judgedStep(step.result ? textIn(status) : 'untested', given, textIn(location))
}
