import type { QueryPlan } from '@apollo/query-planner'
import { GraphQLError } from 'graphql'
import { compileEventKey } from '../../../formats/graphql/event-key.ts'
import type { Context } from '../../../platform/access/caller.ts'
import { withKey } from '../access/operation-access.ts'
import { withoutDefer } from '../defer/deferred-fragments.ts'
import { deferredOperation, variantsOf } from '../defer/deferred-operation.ts'
import { FederationError } from '../errors.ts'
import type { Json } from '../executor/own.ts'
import type { Task } from '../executor/plan-run.ts'
import { Selection } from '../executor/selection.ts'
import { SharedRuns } from '../executor/shared-runs.ts'
import { compilePlan } from '../executor/stages.ts'
import { PLAIN_JSON } from '../json-reader.ts'
import { type ExplainedPlan, explainedPlan } from '../planning/explained-plan.ts'
import {
  observedSubscriber,
  once,
  type Place,
  type Subscriber,
} from '../subscriptions/live-event.ts'
import { streamCursorOf, withCursor } from '../subscriptions/stream-cursor.ts'
import {
  type PreparedSubscription,
  prepareSubscription,
  type SubscriptionParts,
} from '../subscriptions/subscription.ts'
import { compileIntrospection } from './introspection.ts'
import { measure } from './measures.ts'
import type { OperationParts } from './operation-parts.ts'
import {
  type OperationKind,
  type OperationRules,
  type RunObserver,
  UNOBSERVED,
} from './operation-rules.ts'
import type { EventStream, PreparedOperation } from './prepared-operation.ts'
import { OperationResult, Responding } from './responding.ts'
import { type Sharing, selectsOnly } from './shared-selection.ts'
import { compileVariables } from './variables.ts'

let contexts = 0
const noneAlike = () => String(contexts++)

/** Compiles an operation and its plan once. */
export async function prepareOperation(parts: OperationParts): Promise<PreparedOperation> {
  const { schema, document, operation, permitted, deferred, plan: planOf } = parts
  const kind = operation.operation
  const rootType = schema.getRootType(kind)
  if (!rootType) throw new GraphQLError(`The schema has no ${kind}`)
  const selection = Selection.of(schema, document, operation)
  const rootFields = selection.fieldsOf(rootType)
  const introspect = compileIntrospection(schema, document, operation, rootFields)
  const cursor = streamCursorOf(rootType, rootFields.values())
  const left = permitted ?? { document, operation }
  const asked = deferred ? withoutDefer(left.document) : left.document
  const rootNodes = [
    ...Selection.of(schema, left.document, left.operation).fieldsOf(rootType).values(),
  ].flatMap(({ nodes }) => nodes)
  const plan =
    rootNodes.length === 0
      ? undefined
      : await planOf(kind === 'subscription' ? withCursor(asked, rootNodes, cursor) : asked)
  const responding = new Responding(parts, { rootType, selection, rootFields, plan, introspect })
  return new CompiledOperation(parts, responding, {
    plan,
    subscription:
      plan?.kind === 'Subscription'
        ? subscriptionOf(parts, responding, { plan, cursor })
        : undefined,
    deferredFor:
      deferred && kind !== 'subscription'
        ? deferredOperation({
            ...{ fragments: deferred, schema, rootType, document, operation, left, introspect },
            hidden: permitted?.hidden,
            plan: planOf,
            maxResponse: responding.maxResponse,
          })
        : undefined,
  })
}

function subscriptionOf(
  { named, document, operation, link, responses, contextKey = noneAlike }: OperationParts,
  responding: Responding,
  { plan, cursor }: Pick<SubscriptionParts, 'plan' | 'cursor'>,
): PreparedSubscription {
  return prepareSubscription({
    ...{ plan, cursor, responses, contextKey },
    link: link(plan.primary.serviceName),
    eventKey: withKey(named.denied, compileEventKey(operation, document)),
    begin: (variables, context) => responding.begin(variables, context),
    finish: (run) => responding.finish(run),
  })
}

/** A function of its own: a subscriber that refers to the operation would keep the supergraph that it was prepared for. */
function joined(
  streams: OperationParts['streams'],
  request: Parameters<OperationParts['streams']['join']>[0],
  subscriber: Subscriber,
  left: () => void,
): Place {
  const { opened, leave } = streams.join(request, observedSubscriber(subscriber, left))
  return {
    opened,
    leave() {
      left()
      leave()
    },
  }
}

interface Compiled {
  plan: QueryPlan['node']
  subscription: PreparedSubscription | undefined
  deferredFor: ReturnType<typeof deferredOperation> | undefined
}

/** Runs an operation, and subscribes to it. */
class CompiledOperation implements PreparedOperation {
  readonly kind: OperationKind
  readonly size: number
  readonly #coerce: ReturnType<typeof compileVariables>
  readonly #check: ReturnType<OperationRules['compileCheck']> | undefined
  readonly #measure: ReturnType<NonNullable<OperationRules['compileMeasure']>>
  readonly #observed: RunObserver
  readonly #task: Task | null
  readonly #runs: SharedRuns<OperationResult>
  readonly #running: NonNullable<OperationParts['running']>
  /** Queries that one of its runs is. */
  readonly #queries: number
  /** Absent where each subscriber has a stream of its own. */
  readonly #sharing: Sharing | undefined

  constructor(
    private readonly parts: OperationParts,
    private readonly responding: Responding,
    private readonly compiled: Compiled,
  ) {
    const { schema, document, operation, costs, named, sharing, deferred } = parts
    const { json = PLAIN_JSON, observer = UNOBSERVED, contextKey = noneAlike } = parts
    const { rules } = named
    const valid = { schema, document, operation, costs }
    const { plan } = compiled
    this.kind = operation.operation
    this.size = Math.max(1, measure(document).fields) * (1 + (deferred ? variantsOf(deferred) : 0))
    this.#coerce = compileVariables(schema, document, operation, json, rules?.showsSchema ?? true)
    this.#check = rules?.compileCheck(valid)
    this.#measure = rules?.compileMeasure?.(valid)
    this.#observed = observer.of(operation.name?.value, this.kind)
    this.#task = plan && plan.kind !== 'Subscription' ? compilePlan(plan) : null
    this.#runs = new SharedRuns(parts.changes, parts.log, contextKey)
    this.#running = parts.running ?? { count: 0, queries: 0 }
    this.#queries = this.kind === 'query' ? 1 : 0
    const isStream = this.kind === 'subscription'
    this.#sharing =
      isStream && sharing && selectsOnly(schema, document, sharing) ? sharing : undefined
  }

  get subscription(): PreparedSubscription | undefined {
    return this.compiled.subscription
  }

  get isDeferred(): boolean {
    return this.compiled.deferredFor !== undefined
  }

  async explain(): Promise<ExplainedPlan> {
    return explainedPlan(this.compiled.plan)
  }

  async run(variables: Json, context: Context, isIncremental = false): Promise<OperationResult> {
    const { maxQueries = Number.POSITIVE_INFINITY } = this.parts
    const running = this.#running
    if (this.#queries > 0 && running.queries >= maxQueries) throw tooManyQueries(maxQueries)
    const refusal = this.#refused(variables, context)
    if (refusal) return refusal
    const began = performance.now()
    let result: OperationResult | undefined
    const ended = () => {
      running.count--
      running.queries -= this.#queries
      this.#observed.ran(result, (performance.now() - began) / 1_000)
      this.#measure?.(result?.rest ? this.responding.wholeOf(result.rest.run) : result?.data)
    }
    running.count++
    running.queries += this.#queries
    try {
      result = await this.#observed.running(context.caller, () =>
        this.#execute(variables, context, isIncremental),
      )
      return result
    } finally {
      if (result?.rest) void result.rest.ended.then(ended)
      else ended()
    }
  }

  async subscribe(variables: Json, context: Context): Promise<EventStream | OperationResult> {
    const values = this.#refused(variables, context) ?? this.#valuesOf(variables)
    if (values instanceof OperationResult) return values
    const { permitted, named, streams, contextKey = noneAlike } = this.parts
    const { subscription } = this
    if (!subscription && permitted) return new OperationResult(permitted.errors, null)
    if (!subscription)
      return new OperationResult([new GraphQLError('This subscription selects no stream')])
    const refusal = streams.refusal()
    if (refusal) return new OperationResult([refusal])
    const shared = this.#shared(context)
    const request = {
      ...{ operation: named, subscription, variables: values, context: shared },
      contextKey: contextKey(shared),
    }
    return {
      deliverTo: (subscriber) => {
        const left = once(this.#observed.subscribed())
        return joined(streams, request, subscriber, left)
      },
    }
  }

  async #execute(
    variables: Json,
    context: Context,
    isIncremental: boolean,
  ): Promise<OperationResult> {
    if (this.kind === 'subscription') return new OperationResult([NOT_STREAMED])
    const values = this.#valuesOf(variables)
    if (values instanceof OperationResult) return values
    const { responding } = this
    const run = responding.begin(values, context)
    const runDeferred = isIncremental ? await this.compiled.deferredFor?.(values) : undefined
    if (runDeferred) return this.#observed.planned(() => runDeferred(run))
    const task = this.#task
    if (!task) return responding.finish(run)
    const result = () => this.#observed.planned(() => task(run)).then(() => responding.finish(run))
    if (this.kind !== 'query' || this.parts.isUnshared) return result()
    return this.#runs.join(values, context, (close) => {
      run.onAnswer = close
      return result()
    })
  }

  /** Refusal of these variables by the rules. */
  #refused(variables: Json, { caller }: Context): OperationResult | undefined {
    const error = this.#check?.(variables, caller)
    return error && new OperationResult([error])
  }

  /** The variables with defaults, or the errors in them. */
  #valuesOf(variables: Json): Json | OperationResult {
    const values = this.#coerce(variables)
    if (!Array.isArray(values)) return values
    const { rules } = this.parts.named
    return new OperationResult(rules ? values.map(rules.reworded) : values)
  }

  /** The context of a stream, which others share where it is the same for them. */
  #shared(context: Context): Context {
    const { caller, headers } = context
    return this.#sharing
      ? { caller: this.#sharing.callerOf(caller), ...(headers && { headers }) }
      : context
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
