import { AppError } from '../../formats/errors.ts'
import type { Variables } from '../../platform/settings/variables.ts'
import type { Measures } from '../federation/index.ts'

/** The environment variables that bound what a client may ask in one operation. */
export const OPERATION_LIMITS = [
  'OPERATION_MAX_BYTES',
  'OPERATION_MAX_TOKENS',
  'OPERATION_MAX_DEPTH',
  'OPERATION_MAX_FIELDS',
  'OPERATION_MAX_ALIASES',
  'OPERATION_MAX_ROOT_FIELDS',
  'OPERATION_MAX_DIRECTIVES',
  'OPERATION_MAX_COST',
  'OPERATION_MAX_RESPONSE',
  'OPERATION_MAX_PATHS',
  'OPERATION_PLAN_MS',
] as const

export type OperationLimit = (typeof OPERATION_LIMITS)[number]

export type OperationLimits = Readonly<Pick<Variables, OperationLimit>>

const MEASURED: readonly [keyof Measures, OperationLimit, (actual: number) => string][] = [
  ['depth', 'OPERATION_MAX_DEPTH', (actual) => `has ${actual} levels of fields`],
  ['rootFields', 'OPERATION_MAX_ROOT_FIELDS', (actual) => `has ${actual} fields at its root`],
  ['aliases', 'OPERATION_MAX_ALIASES', (actual) => `has ${actual} aliases`],
  ['directives', 'OPERATION_MAX_DIRECTIVES', (actual) => `has ${actual} directives`],
  ['fields', 'OPERATION_MAX_FIELDS', (actual) => `has ${actual} fields`],
]

/** @throws AppError OPERATION_LIMIT_EXCEEDED */
export function requireWithin(measures: Measures, limits: OperationLimits): void {
  for (const [name, limit, says] of MEASURED)
    if (measures[name] > limits[limit])
      throw exceeded(`${says(measures[name])}, with its fragments expanded`, limit, limits)
}

/** Limits that cannot be set. */
type FixedLimit = 'nesting' | 'introspection'

/** An operation that asks for too much. */
export class LimitExceeded extends AppError {
  readonly limit: OperationLimit | FixedLimit

  constructor(limit: OperationLimit | FixedLimit, message: string) {
    super('OPERATION_LIMIT_EXCEEDED', message)
    this.limit = limit
  }
}

/** @param actual what the operation has, such as `has 7 aliases` */
export const exceeded = (
  actual: string,
  limit: OperationLimit,
  { [limit]: maximum }: OperationLimits,
): LimitExceeded =>
  new LimitExceeded(limit, `The operation ${actual}; ${limit} allows ${maximum}. ${ADVICE}`)

/** Refusal of the planner, which looks at each way to reach a field. */
export const tooManyPaths = (maxPaths: number): LimitExceeded =>
  new LimitExceeded(
    'OPERATION_MAX_PATHS',
    `The operation has a field that can be reached in too many ways; OPERATION_MAX_PATHS allows ${maxPaths}. Ask for fewer levels at a time, or have the operator raise the limit.`,
  )

const ADVICE = 'Ask for less at a time, or have the operator raise the limit.'
