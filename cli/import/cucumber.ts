import {
  type Json,
  listIn,
  type NamedFile,
  numberIn,
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
  pending: 'SKIPPED',
}

/** The JSON of Cucumber: each element of a feature is a scenario, backgrounds are part of the next. @throws Error */
export function readCucumber(text: string): Scenario[] {
  const features: unknown = JSON.parse(text)
  if (!Array.isArray(features)) throw new Error('expected a list of features')
  return listIn(features).flatMap((feature) =>
    listIn(feature.elements)
      .filter(({ type }) => type !== 'background')
      .map((element) => scenarioOf(element, feature)),
  )
}

function scenarioOf(element: Json, feature: Json): Scenario {
  const steps = [element.before, element.steps, element.after].flatMap(listIn).map(stepOf)
  const bad =
    steps.find(({ state }) => state === 'ERROR') ?? steps.find(({ state }) => state === 'FAILED')
  const isSkipped = steps.length > 0 && steps.every(({ state }) => state === 'SKIPPED')
  return {
    name: [textIn(feature.name), textIn(element.name)].filter(Boolean).join(' › ') || 'A scenario',
    state: bad?.state ?? (isSkipped ? 'SKIPPED' : 'COMPLETED'),
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
  const name = `${textIn(step.keyword)}${textIn(step.name)}`.trim()
  return {
    name: name || 'Hook',
    // Undefined and ambiguous steps could not be carried out.
    state: STATES[textIn(result.status)] ?? 'ERROR',
    message:
      textIn(result.error_message) ||
      (STATES[textIn(result.status)] ? '' : `The step is ${textIn(result.status)}`),
    durationMs: numberIn(numberIn(result.duration) / 1e6),
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
