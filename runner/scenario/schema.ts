import { Ajv, type ErrorObject, type SchemaObject, type ValidateFunction } from 'ajv'
import { withDoubles } from '../../formats/json/values.ts'
import { isZone } from '../../formats/junit/report-time.ts'
import { ASSERTS, type Assert } from '../expectations/asserts.ts'
import { PATH_BELOW } from '../steps/path-below.ts'
import { STEP_KIND_NAMES, STEP_KINDS } from '../steps/step-kinds.ts'
import { orTemplate, withTemplates } from './template-schema.ts'

const NAME = { type: 'string', minLength: 1, maxLength: 200 }
const KEY = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,99}$' }
const TIMEOUT = { type: 'integer', minimum: 1, maximum: 86_400_000 }
const PATH = { type: 'string', maxLength: 1_000 }
/** So many faults are named. */
export const MAX_FAULTS = 100
/** An expectation; where templates are not filled in yet, any of them can be the value that an assert wants. */
const expectationSchema = (filledIn: boolean, more: SchemaObject = {}) => ({
  type: 'object',
  additionalProperties: false,
  required: ['assert', ...Object.keys(more)],
  properties: {
    name: { ...NAME, description: 'What a failure is called.' },
    path: { ...PATH, description: 'JSONPath into the result; all of it if absent.' },
    assert: { enum: Object.keys(ASSERTS), description: 'The comparison.' },
    value: { description: 'What is expected. It may hold templates.' },
    ...more,
  },
  allOf: Object.entries(ASSERTS).map(([assert, { value, required }]) => ({
    if: { required: ['assert'], properties: { assert: { const: assert } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      required: required ? ['value'] : [],
      properties: { value: filledIn ? value : orTemplate(value) },
    },
  })),
})

const steps = (minItems: number) => ({
  type: 'array',
  minItems,
  maxItems: 1_000,
  items: { $ref: '#/$defs/step' },
})

/** The JSON Schema of a scenario; unknown keys are refused. */
export const SCENARIO_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['steps'],
  properties: {
    variables: {
      type: 'object',
      propertyNames: KEY,
      description: 'Values for `{{var.name}}`.',
    },
    dataset: {
      type: 'object',
      description: 'The steps run once for each row; `{{row.name}}` is its value.',
      additionalProperties: false,
      required: ['rows'],
      properties: {
        rows: { type: 'array', minItems: 1, maxItems: 1_000, items: { type: 'object' } },
        maxParallel: { type: 'integer', minimum: 1, maximum: 16 },
      },
    },
    setup: { ...steps(0), description: 'Runs once, before all rows.' },
    steps: { ...steps(1), description: 'Run in this order. One that is ERROR ends them.' },
    teardown: { ...steps(0), description: 'Always runs, after all rows.' },
    stubs: {
      type: 'array',
      description: 'Answer calls of components; the first that fits counts.',
      maxItems: 200,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['function'],
        properties: {
          component: { type: 'string', pattern: '^[A-Za-z0-9._~:-]{1,255}$' },
          function: { type: 'string', minLength: 1, maxLength: 200 },
          args: { type: 'array', maxItems: 100 },
          returns: {},
          throws: { type: 'string' },
        },
        not: { required: ['returns', 'throws'] },
      },
    },
    haltAtFailure: {
      type: 'boolean',
      description: 'Whether the first step or row that is FAILED ends the scenario.',
    },
    timeoutMs: { ...TIMEOUT, description: 'For setup and steps together; 600 000 if absent.' },
    caseInsensitiveCompare: {
      type: 'boolean',
      description: 'Whether text that differs in case alone is equal.',
    },
  },
  $defs: {
    step: {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: {
        id: {
          type: 'string',
          pattern: '^[A-Za-z0-9._~:-]{1,100}$',
          description: 'Unique in the scenario.',
        },
        name: { ...NAME, description: 'Shown instead of the id.' },
        if: {
          description:
            'The step is SKIPPED where this template is false, or the expectation unmet.',
          anyOf: [{ type: ['boolean', 'string'] }, expectationSchema(false, { actual: {} })],
        },
        retries: {
          type: 'object',
          description: 'Tries again while the step is FAILED or ERROR.',
          additionalProperties: false,
          required: ['count'],
          properties: {
            count: { type: 'integer', minimum: 0, maximum: 100 },
            delayMs: { type: 'integer', minimum: 0, maximum: 3_600_000 },
          },
        },
        timeoutMs: { ...TIMEOUT, description: 'For each try.' },
        optional: {
          type: 'boolean',
          description: 'Whether its failure is shown and changes nothing else.',
        },
        negative: { type: 'boolean', description: 'Whether it is COMPLETED when it fails.' },
        capture: {
          type: 'object',
          propertyNames: KEY,
          additionalProperties: PATH,
          description: 'Names for `{{capture.name}}`, and the JSONPath of each value.',
        },
        expect: {
          type: 'array',
          maxItems: 200,
          items: expectationSchema(false),
          description: 'What holds for the result.',
        },
        ...Object.fromEntries(
          [...STEP_KINDS].map(([name, { schema }]) => [name, withTemplates(schema)]),
        ),
      },
      oneOf: STEP_KIND_NAMES.map((name) => ({ required: [name] })),
    },
  },
}

const ajv = new Ajv({
  allowUnionTypes: true,
  strictRequired: false,
  allErrors: true,
  formats: { regex: isPattern, 'time-zone': isZone },
})
const validators = new Map<string, ValidateFunction>()

/** @returns path and fault of each, such as `/steps/0 lacks id` */
export const schemaFaults = (scenario: unknown): string[] =>
  messagesOf(formFaults('', () => SCENARIO_SCHEMA, scenario))

/** A fault in the form of what a schema describes. */
export interface FormFault {
  /** Keys and positions that lead to it. */
  at: string[]
  /** True if it is of another type than text, and nothing but text (or null) fits there. */
  takesText: boolean
  /** As `schemaFaults` has it. */
  message: string
}

/** The settings of a kind of step with their templates filled in. */
export const settingsFaults = (kind: string, settings: unknown): FormFault[] =>
  formFaults(`step ${kind}`, () => STEP_KINDS.get(kind)?.schema ?? {}, settings)

/** The form of an expectation with its templates filled in. */
export const expectationFaults = (expectation: unknown): FormFault[] =>
  formFaults('expectation', () => expectationSchema(true), expectation)

/** All of an expectation with its templates filled in. @returns the first fault, as `schemaFaults`, or null */
export function expectationFault(expectation: {
  assert: keyof typeof ASSERTS
  value?: unknown
}): string | null {
  const [fault] = expectationFaults(expectation)
  if (fault !== undefined) return fault.message
  const { fault: valueFault }: Assert = ASSERTS[expectation.assert]
  const wrong = valueFault?.(expectation.value) ?? null
  return wrong && `/value is no good: ${wrong}`
}

function formFaults(name: string, schema: () => SchemaObject, value: unknown): FormFault[] {
  const validate = validators.get(name) ?? ajv.compile(schema())
  validators.set(name, validate)
  if (validate(withDoubles(value))) return []
  // Errors that only lead to others are dropped; of alternatives, the first names the fault.
  const specific = (validate.errors ?? []).filter(
    ({ keyword, schemaPath }) =>
      keyword !== 'if' && keyword !== 'anyOf' && !/\/(oneOf\/\d|anyOf\/[1-9])/.test(schemaPath),
  )
  return specific.map((error) => ({
    at: error.instancePath.split('/').slice(1).map(unescaped),
    takesText:
      error.keyword === 'type' &&
      [error.params.type].flat().every((type) => type === 'string' || type === 'null') &&
      [error.params.type].flat().includes('string'),
    message: described(error),
  }))
}

/** A part of a JSON pointer as the key that it stands for. */
const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

const messagesOf = (faults: readonly FormFault[]): string[] =>
  [...new Set(faults.map(({ message }) => message))].slice(0, MAX_FAULTS)

function described({ keyword, params, message, instancePath: path }: ErrorObject): string {
  if (keyword === 'oneOf') return `${path} must have exactly one of ${STEP_KIND_NAMES.join(', ')}`
  if (keyword === 'additionalProperties')
    return `${path} has an unknown key ${params.additionalProperty}`
  if (keyword === 'required') return `${path} lacks ${params.missingProperty}`
  if (keyword === 'enum') return `${path} must be one of ${params.allowedValues.join(', ')}`
  if (keyword === 'pattern' && params.pattern === PATH_BELOW)
    return `${path} must be a path below the folder of the run: no / at its start, and no ..`
  if (keyword === 'format' && params.format === 'time-zone')
    return `${path} must be a time zone such as Europe/Berlin, or an offset such as +09:00`
  if (keyword === 'not') return `${path} holds keys that exclude each other`
  return `${path} ${message ?? 'is invalid'}`
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
