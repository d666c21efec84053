import type { QueryPlan } from '@apollo/query-planner'
import type { ExecutionResult, GraphQLError, GraphQLObjectType } from 'graphql'
import { MAX_RESPONSE, responseTooLarge } from '../../../formats/graphql/response-size.ts'
import { charactersIn } from '../../../formats/json/json.ts'
import type { Context } from '../../../platform/access/caller.ts'
import type { Rest } from '../defer/parts.ts'
import { addError, FederationError } from '../errors.ts'
import { cacheHeaders } from '../executor/cache-hints.ts'
import { isIncluded } from '../executor/conditions.ts'
import { getOwn, type Json } from '../executor/own.ts'
import type { PlanRun } from '../executor/plan-run.ts'
import type { SelectedField, Selection } from '../executor/selection.ts'
import { compileShape } from '../executor/shape.ts'
import { explanationsOf } from '../executor/unexplained.ts'
import type { OperationParts } from './operation-parts.ts'

type ClientHeaders = PlanRun['headers']

/** The response to an operation. Callers that share it must not change it. */
export class OperationResult implements ExecutionResult {
  declare readonly errors?: readonly GraphQLError[]
  declare readonly data?: Json | null
  #text: string | undefined
  /** Headers of the subgraphs, for the client. */
  readonly #headers: ClientHeaders | undefined

  /** Parts that are delivered later. */
  readonly #rest: Rest | undefined

  /** @param data undefined for an operation that did not run */
  constructor(
    errors: readonly GraphQLError[],
    data?: Json | null,
    headers?: ClientHeaders,
    rest?: Rest,
  ) {
    this.#headers = headers
    this.#rest = rest
    if (errors.length > 0) this.errors = errors
    if (data !== undefined) this.data = data
  }

  static tooLarge(maxResponse: number): OperationResult {
    return new OperationResult([new FederationError(...responseTooLarge(maxResponse))], null)
  }

  get rest(): Rest | undefined {
    return this.#rest
  }

  get headers(): Readonly<Record<string, string | string[]>> {
    return this.#headers ? Object.fromEntries(this.#headers) : {}
  }

  /** The response as JSON; written once for all who share it. */
  get text(): string {
    this.#text ??= JSON.stringify(this)
    return this.#text
  }
}

/**
 * True if a response has more characters than it may have: it would be written in one piece. What the subgraphs answered
 * says of most that they have not; only of the others, all values are counted. Errors were counted when they were made.
 */
export const isTooLarge = ({ room, characters }: PlanRun, data: unknown): boolean =>
  room < 0 || (characters > room && charactersIn(data, room) > room)

/**
 * Takes the place of gathered data. A run that lasts for two collections of the young generation is old when it ends, and
 * its data would stay in memory until the old generation is collected.
 */
const GIVEN_AWAY: Json = Object.freeze(Object.create(null))

/** An operation as its response is compiled from it. */
interface Whole {
  rootType: GraphQLObjectType
  selection: Selection
  rootFields: ReturnType<Selection['fieldsOf']>
  /** Absent where nothing is to be fetched. */
  plan: QueryPlan['node']
  introspect: ((data: Json, variables: Json) => void) | undefined
}

/** Begins the runs of an operation, and makes responses of what they gather. */
export class Responding {
  readonly maxResponse: number
  readonly #shape: ReturnType<typeof compileShape>
  readonly #unanswered: ReturnType<typeof compileUnanswered>

  constructor(
    private readonly parts: OperationParts,
    private readonly whole: Whole,
  ) {
    const { schema, permitted, maxResponse = MAX_RESPONSE } = parts
    this.maxResponse = maxResponse
    this.#shape = compileShape(schema, whole.rootType, whole.selection, permitted?.hidden)
    this.#unanswered = compileUnanswered(whole.rootFields)
  }

  begin(variables: Json, context: Context): PlanRun {
    const { schema, permitted, named, link, changes, log } = this.parts
    return {
      schema,
      data: Object.create(null),
      errors: permitted ? [...permitted.errors] : [],
      room: this.maxResponse,
      lost: [],
      variables,
      text: named.text,
      context,
      link,
      changes,
      log,
      characters: 0,
    }
  }

  finish(run: PlanRun): OperationResult {
    const { introspect, plan } = this.whole
    introspect?.(run.data, run.variables)
    const { errors } = run
    if (errors.length === 0) this.#unanswered(run)
    if (!plan && errors.length > 0) return new OperationResult(errors, null)
    const isExplained = errors.length === 0 ? () => false : explanationsOf(errors, run.lost)
    const data = run.room < 0 ? null : this.#shape(run, isExplained)
    run.data = GIVEN_AWAY
    const { cacheHints, operation } = this.parts
    if (cacheHints && operation.operation === 'query' && errors.length === 0)
      for (const header of cacheHeaders(cacheHints, run.hint, run.context))
        run.headers = (run.headers ?? new Map()).set(...header)
    if (!isTooLarge(run, data)) return new OperationResult(errors, data, run.headers)
    return OperationResult.tooLarge(this.maxResponse)
  }

  /** All that a run has delivered, early or late. */
  wholeOf({ data, variables }: PlanRun): ReturnType<ReturnType<typeof compileShape>> {
    return this.#shape({ data, variables, errors: [], room: Number.POSITIVE_INFINITY }, () => true)
  }
}

/** Finds what the plan had no fetch for, and what a subgraph left out without a word. */
export function compileUnanswered(fields: ReadonlyMap<string, SelectedField>) {
  const fetched = [...fields].filter(([, { name }]) => name !== '__typename')
  return (run: PlanRun): void => {
    const { data, variables } = run
    for (const [key, { gatheredKey, conditions }] of fetched)
      if (getOwn(data, gatheredKey) === undefined && isIncluded(conditions, variables))
        addError(run, `No subgraph answers the field ${key}`, [key], {
          code: 'DOWNSTREAM_SERVICE_ERROR',
        })
  }
}
