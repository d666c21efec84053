import { Ajv, type ErrorObject } from 'ajv'
import { AppError } from '../../../schema/errors.ts'
import { ASSERTS } from './expectations/asserts.ts'
import { compilePath, type Expectation } from './expectations/expectation.ts'
import { isDeeperThan } from './nesting.ts'
import { STEP_KIND_NAMES, STEP_KINDS, type StepKindName, type StepSettings } from './step-kinds.ts'

/** What a test case runs. */
export interface Scenario {
  steps: Step[]
  /** Whether the first step that is FAILED ends the scenario. A step that is ERROR always does. */
  haltAtFailure?: boolean
  /** Default 600 000. */
  timeoutMs?: number
}

/** Exactly one of the keys of `StepSettings` is there. */
export type Step = { [Name in StepKindName]?: StepSettings[Name] } & {
  id: string
  name?: string
  timeoutMs?: number
  /** Its failure or error is shown with the step and changes nothing else. */
  optional?: boolean
  expect?: Expectation[]
}

export const DEFAULT_SCENARIO_TIMEOUT_MS = 600_000

const NAME = { type: 'string', minLength: 1, maxLength: 200 }
const TIMEOUT = { type: 'integer', minimum: 1, maximum: 86_400_000 }

const EXPECTATION = {
  type: 'object',
  additionalProperties: false,
  required: ['assert'],
  properties: {
    name: NAME,
    path: { type: 'string', maxLength: 1_000 },
    assert: { enum: Object.keys(ASSERTS) },
    value: {},
  },
  allOf: Object.entries(ASSERTS).map(([assert, { value, required }]) => ({
    if: { required: ['assert'], properties: { assert: { const: assert } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: required ? ['value'] : [], properties: { value } },
  })),
}

/** The JSON Schema of a scenario; unknown keys are refused. */
export const SCENARIO_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['steps'],
  properties: {
    steps: {
      type: 'array',
      minItems: 1,
      maxItems: 1_000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id'],
        properties: {
          id: { type: 'string', pattern: '^[A-Za-z0-9._~:-]{1,100}$' },
          name: NAME,
          timeoutMs: TIMEOUT,
          optional: { type: 'boolean' },
          expect: { type: 'array', maxItems: 200, items: EXPECTATION },
          ...Object.fromEntries(STEP_KIND_NAMES.map((name) => [name, STEP_KINDS[name].schema])),
        },
        oneOf: STEP_KIND_NAMES.map((name) => ({ required: [name] })),
      },
    },
    haltAtFailure: { type: 'boolean' },
    timeoutMs: TIMEOUT,
  },
}

const ajv = new Ajv({ allowUnionTypes: true, strictRequired: false, formats: { regex: isPattern } })
const matchesSchema = ajv.compile<Scenario>(SCENARIO_SCHEMA)

/**
 * A scenario out of what a client sent.
 * @throws AppError BAD_USER_INPUT that names the path and what was expected there
 */
export function validateScenario(value: unknown): Scenario {
  if (isDeeperThan(value)) throw refused('', 'is nested too deeply')
  if (!matchesSchema(value)) throw refused(...described(matchesSchema.errors ?? []))
  const ids = new Set<string>()
  for (const [at, { id, expect = [] }] of value.steps.entries()) {
    if (ids.has(id)) throw refused(`/steps/${at}/id`, `repeats the id ${id}`)
    ids.add(id)
    for (const [i, { path = '$' }] of expect.entries()) checkPath(`/steps/${at}/expect/${i}`, path)
  }
  return value
}

function checkPath(at: string, path: string): void {
  try {
    compilePath(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable'
    throw refused(`${at}/path`, `is no JSONPath: ${reason}`)
  }
}

function described(errors: ErrorObject[]): [path: string, fault: string] {
  const error = errors.find(({ keyword }) => keyword !== 'if')
  if (!error) return ['', 'is invalid']
  const { keyword, params, instancePath: path } = error
  // Where no kind matches, the complaint of each about its own key comes first.
  if (errors.some((each) => each.keyword === 'oneOf')) {
    const step = errors.find((each) => each.keyword === 'oneOf')?.instancePath ?? path
    return [step, `must have exactly one of ${STEP_KIND_NAMES.join(', ')}`]
  }
  if (keyword === 'additionalProperties')
    return [path, `has an unknown key ${params.additionalProperty}`]
  if (keyword === 'required') return [path, `lacks ${params.missingProperty}`]
  if (keyword === 'enum') return [path, `must be one of ${params.allowedValues.join(', ')}`]
  return [path, error.message ?? 'is invalid']
}

const refused = (path: string, fault: string) =>
  new AppError('BAD_USER_INPUT', `scenario${path} ${fault}`)

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
