import { GraphQLError } from 'graphql'
import { compileEventKey } from '../../../formats/graphql/event-key.ts'
import { MAX_RESPONSE } from '../../../formats/graphql/response-size.ts'
import type { Context } from '../../../platform/access/caller.ts'
import { withKey } from '../access/operation-access.ts'
import { withoutDefer } from '../defer/deferred-fragments.ts'
import { deferredOperation } from '../defer/deferred-operation.ts'
import { FederationError } from '../errors.ts'
import { cacheHeaders } from '../executor/cache-hints.ts'
import type { Json } from '../executor/own.ts'
import type { PlanRun } from '../executor/plan-run.ts'
import { Selection } from '../executor/selection.ts'
import { compileShape } from '../executor/shape.ts'
import { SharedRuns } from '../executor/shared-runs.ts'
import { compilePlan } from '../executor/stages.ts'
import { compileUnanswered } from '../executor/unanswered.ts'
import { explanationsOf } from '../executor/unexplained.ts'
import { PLAIN_JSON } from '../json-reader.ts'
import { explainedPlan } from '../planning/explained-plan.ts'
import { observedSubscriber, once } from '../subscriptions/live-event.ts'
import { streamCursorOf, withCursor } from '../subscriptions/stream-cursor.ts'
import { prepareSubscription } from '../subscriptions/subscription.ts'
import { compileIntrospection } from './introspection.ts'
import { isTooLarge, OperationResult } from './operation-result.ts'
import { UNOBSERVED } from './operation-rules.ts'
import type { OperationParts, PreparedOperation } from './prepared-operation.ts'
import { selectsOnly } from './shared-selection.ts'
import { compileVariables } from './variables.ts'

/**
 * Takes the place of gathered data. A run that lasts for two collections of the young generation is old when it ends, and
 * its data would stay in memory until the old generation is collected.
 */
const GIVEN_AWAY: Json = Object.freeze(Object.create(null))

let contexts = 0
const noneAlike = () => String(contexts++)

/** Compiles an operation and its plan once. */
export async function prepareOperation({
  named,
  schema,
  document,
  operation,
  permitted,
  costs,
  plan: planOf,
  link,
  changes,
  streams,
  responses,
  sharing,
  contextKey = noneAlike,
  log,
  json = PLAIN_JSON,
  observer = UNOBSERVED,
  running = { count: 0, queries: 0 },
  maxQueries = Number.POSITIVE_INFINITY,
  maxResponse = MAX_RESPONSE,
  isUnshared = false,
  cacheHints,
  deferred,
}: OperationParts): Promise<PreparedOperation> {
  const { rules } = named
  const kind = operation.operation
  const rootType = schema.getRootType(kind)
  if (!rootType) throw new GraphQLError(`The schema has no ${kind}`)
  const selection = Selection.of(schema, document, operation)
  const rootFields = selection.fieldsOf(rootType)
  const coerce = compileVariables(schema, document, operation, json, rules?.showsSchema ?? true)
  const valid = { schema, document, operation, costs }
  const check = rules?.compileCheck(valid)
  const measure = rules?.compileMeasure?.(valid)
  const shape = compileShape(schema, rootType, selection, permitted?.hidden)
  const introspect = compileIntrospection(schema, document, operation, rootFields)
  const unanswered = compileUnanswered(rootFields)
  const cursor = streamCursorOf(rootType, rootFields.values())
  const { document: left, operation: asked } = permitted ?? { document, operation }
  const whole = deferred ? withoutDefer(left) : left
  const rootNodes = [...Selection.of(schema, left, asked).fieldsOf(rootType).values()].flatMap(
    ({ nodes }) => nodes,
  )
  const plan =
    rootNodes.length === 0
      ? undefined
      : await planOf(kind === 'subscription' ? withCursor(whole, rootNodes, cursor) : whole)
  const task = plan && plan.kind !== 'Subscription' ? compilePlan(plan) : null
  const runs = new SharedRuns<OperationResult>(changes, log, contextKey)
  const observed = observer.of(operation.name?.value, kind)

  const begin = (variables: Json, context: Context): PlanRun => ({
    schema,
    data: Object.create(null),
    errors: permitted ? [...permitted.errors] : [],
    room: maxResponse,
    lost: [],
    variables,
    text: named.text,
    context,
    link,
    changes,
    log,
    characters: 0,
  })

  const finish = (run: PlanRun): OperationResult => {
    introspect?.(run.data, run.variables)
    const { errors } = run
    if (errors.length === 0) unanswered(run)
    if (!plan && errors.length > 0) return new OperationResult(errors, null)
    const data = run.room < 0 ? null : shape(run, explanationsOf(errors, run.lost))
    run.data = GIVEN_AWAY
    if (cacheHints && kind === 'query' && errors.length === 0)
      for (const header of cacheHeaders(cacheHints, run.hint, run.context))
        run.headers = (run.headers ?? new Map()).set(...header)
    if (!isTooLarge(run, data)) return new OperationResult(errors, data, run.headers)
    return OperationResult.tooLarge(maxResponse)
  }

  /** All that a run has delivered, early or late. */
  const wholeOf = ({ data, variables }: PlanRun) =>
    shape({ data, variables, errors: [], room: Number.POSITIVE_INFINITY }, () => true)

  const deferredFor =
    deferred && kind !== 'subscription'
      ? deferredOperation({
          ...{ fragments: deferred, schema, rootType, document, operation },
          left: { document: left, operation: asked },
          hidden: permitted?.hidden,
          plan: planOf,
          introspect,
          maxResponse,
        })
      : undefined

  /** Refusal of these variables by the rules. */
  const refused = (variables: Json, { caller }: Context): OperationResult | undefined => {
    const error = check?.(variables, caller)
    return error && new OperationResult([error])
  }

  /** The variables with defaults, or the errors in them. */
  const valuesOf = (variables: Json): Json | OperationResult => {
    const values = coerce(variables)
    if (!Array.isArray(values)) return values
    return new OperationResult(rules ? values.map(rules.reworded) : values)
  }

  const subscription =
    plan?.kind === 'Subscription'
      ? prepareSubscription({
          plan,
          link: link(plan.primary.serviceName),
          cursor,
          eventKey: withKey(named.denied, compileEventKey(operation, document)),
          responses,
          contextKey,
          begin,
          finish,
        })
      : undefined

  const isSharable =
    kind === 'subscription' && sharing !== undefined && selectsOnly(schema, document, sharing)

  async function execute(
    variables: Json,
    context: Context,
    isIncremental: boolean,
  ): Promise<OperationResult> {
    if (kind === 'subscription') return new OperationResult([NOT_STREAMED])
    const values = valuesOf(variables)
    if (values instanceof OperationResult) return values
    const run = begin(values, context)
    const runDeferred = isIncremental ? await deferredFor?.(values) : undefined
    if (runDeferred) return observed.planned(() => runDeferred(run))
    if (!task) return finish(run)
    const result = () => observed.planned(() => task(run)).then(() => finish(run))
    if (kind !== 'query' || isUnshared) return result()
    return runs.join(values, context, (close) => {
      run.onAnswer = close
      return result()
    })
  }

  const queries = kind === 'query' ? 1 : 0

  return {
    kind,
    subscription,
    isDeferred: deferredFor !== undefined,
    explain: async () => explainedPlan(plan),
    async run(variables, context, isIncremental = false) {
      if (queries > 0 && running.queries >= maxQueries) throw tooManyQueries(maxQueries)
      const refusal = refused(variables, context)
      if (refusal) return refusal
      const began = performance.now()
      let result: OperationResult | undefined
      const ended = () => {
        running.count--
        running.queries -= queries
        observed.ran(result, (performance.now() - began) / 1_000)
        measure?.(result?.rest ? wholeOf(result.rest.run) : result?.data)
      }
      running.count++
      running.queries += queries
      try {
        result = await observed.running(context.caller, () =>
          execute(variables, context, isIncremental),
        )
        return result
      } finally {
        if (result?.rest) void result.rest.ended.then(ended)
        else ended()
      }
    },
    async subscribe(variables, context) {
      const values = refused(variables, context) ?? valuesOf(variables)
      if (values instanceof OperationResult) return values
      if (!subscription && permitted) return new OperationResult(permitted.errors, null)
      if (!subscription)
        return new OperationResult([new GraphQLError('This subscription selects no stream')])
      const refusal = streams.refusal()
      if (refusal) return new OperationResult([refusal])
      const { caller, headers } = context
      const shared = isSharable
        ? { caller: sharing.callerOf(caller), ...(headers && { headers }) }
        : context
      const request = {
        operation: named,
        subscription,
        variables: values,
        context: shared,
        contextKey: contextKey(shared),
      }
      return {
        deliverTo(subscriber) {
          const left = once(observed.subscribed())
          const { opened, leave } = streams.join(request, observedSubscriber(subscriber, left))
          return {
            opened,
            leave() {
              left()
              leave()
            },
          }
        },
      }
    },
  }
}

const tooManyQueries = (max: number) =>
  new FederationError(
    'OVERLOADED',
    `Too many queries run at the same time (HTTP_MAX_QUERIES is ${max}): try again later`,
    { retryAfterSeconds: 1 },
  )

const NOT_STREAMED = new FederationError(
  'BAD_USER_INPUT',
  'Subscriptions are served over WebSocket and as text/event-stream',
)
