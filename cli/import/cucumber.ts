import {
  durationIn,
  type Json,
  listIn,
  type NamedFile,
  objectIn,
  type Scenario,
  type State,
  type Step,
  textIn,
  timeIn,
} from './scenario.ts'

const STATES: Readonly<Record<string, State>> = {
  passed: 'COMPLETED',
  failed: 'FAILED',
  skipped: 'SKIPPED',
  pending: 'FAILED', // Cucumber is strict
}

/** The JSON of Cucumber: each element of a feature is a scenario or its background. @throws Error */
export function readCucumber(text: string): Scenario[] {
  const features: unknown = JSON.parse(text)
  if (!Array.isArray(features)) throw new Error('expected a list of features')
  return listIn(features).flatMap(scenariosIn)
}

/** A background stands before each of its scenarios, or once before all, which are skipped where it failed. */
function scenariosIn(feature: Json): Scenario[] {
  let background: Step[] = []
  let isNext = false
  return listIn(feature.elements).flatMap((element) => {
    const steps = stepsOf(element)
    if (element.type === 'background') {
      background = isNext ? [...background, ...steps] : steps
      isNext = true
      return []
    }
    const isShared = isNext || areSkipped(steps)
    isNext = false
    return [scenarioOf(element, feature, isShared ? background : [], steps)]
  })
}

/** Steps and hooks; a background without results only declares its steps. */
const stepsOf = ({ before, steps, after, type }: Json): Step[] => [
  ...listIn(before).map(stepOf),
  ...listIn(steps)
    .filter(({ result }) => result || type !== 'background')
    .flatMap((step) => [
      ...listIn(step.before).map(stepOf).filter(isBad),
      stepOf(step),
      ...listIn(step.after).map(stepOf).filter(isBad),
    ]),
  ...listIn(after).map(stepOf),
]

const isBad = ({ state }: Step): boolean => state === 'ERROR' || state === 'FAILED'

/** A step that skips leaves the rest of its scenario out. */
const isSkipped = ({ state }: Step): boolean => state === 'SKIPPED'

const areSkipped = (steps: readonly Step[]): boolean => steps.length > 0 && steps.every(isSkipped)

function scenarioOf(element: Json, feature: Json, background: Step[], own: Step[]): Scenario {
  const steps = [...background, ...own]
  const bad =
    steps.find(({ state }) => state === 'ERROR') ?? steps.find(({ state }) => state === 'FAILED')
  return {
    name: [textIn(feature.name), textIn(element.name)].filter(Boolean).join(' › ') || 'A scenario',
    state: bad?.state ?? (own.some(isSkipped) ? 'SKIPPED' : 'COMPLETED'),
    message: bad?.message ?? '',
    started: timeIn(element.start_timestamp),
    durationMs: steps.reduce((sum, { durationMs }) => sum + durationMs, 0),
    steps,
    log: '',
    tries: [],
  }
}

function stepOf(step: Json): Step {
  const result = objectIn(step.result)
  const status = textIn(result.status)
  const isDone = STATES[status] !== undefined && status !== 'pending'
  const name = `${textIn(step.keyword)}${textIn(step.name)}`.trim()
  return {
    name: name || 'Hook',
    // Undefined and ambiguous steps could not be carried out.
    state: STATES[status] ?? 'ERROR',
    message: textIn(result.error_message) || (isDone ? '' : `The step is ${status}`),
    durationMs: durationIn(Number(result.duration) / 1e6),
    files: listIn(step.embeddings).map(fileOf),
  }
}

const fileOf = (embedding: Json, at: number): NamedFile => {
  const contentType = textIn(embedding.mime_type) || textIn(objectIn(embedding.media).type)
  const end = contentType.split('/')[1]?.split(/[;+]/)[0] ?? 'bin'
  return {
    name: textIn(embedding.name) || `embedding-${at + 1}.${end === 'plain' ? 'txt' : end}`,
    ...(contentType && { contentType }),
    path: null,
    base64: textIn(embedding.data),
  }
}
