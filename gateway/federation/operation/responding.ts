import type { QueryPlan } from '@apollo/query-planner'
import type { GraphQLObjectType } from 'graphql'
import { MAX_RESPONSE } from '../../../formats/graphql/response-size.ts'
import type { Context } from '../../../platform/access/caller.ts'
import { cacheHeaders } from '../executor/cache-hints.ts'
import type { Json } from '../executor/own.ts'
import type { PlanRun } from '../executor/plan-run.ts'
import type { Selection } from '../executor/selection.ts'
import { compileShape } from '../executor/shape.ts'
import { compileUnanswered } from '../executor/unanswered.ts'
import { explanationsOf } from '../executor/unexplained.ts'
import { isTooLarge, OperationResult } from './operation-result.ts'
import type { OperationParts } from './prepared-operation.ts'

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
    const data = run.room < 0 ? null : this.#shape(run, explanationsOf(errors, run.lost))
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
