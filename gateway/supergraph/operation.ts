import type { QueryPlan } from '@apollo/query-planner'
import {
  type DocumentNode,
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import { sharedCaller } from '../../subgraphs/shared/access/sharing.ts'
import type { Context } from '../../subgraphs/shared/caller.ts'
import { compileEventKey } from '../../subgraphs/shared/event-key.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { SubgraphLink } from '../links/link.ts'
import type { Subscriber } from '../subscriptions/live-event.ts'
import type { LiveStreams } from '../subscriptions/live-streams.ts'
import { streamPlaceOf, withCursor } from '../subscriptions/stream-place.ts'
import {
  type PreparedSubscription,
  prepareSubscription,
  type Responses,
} from '../subscriptions/subscription.ts'
import { isIncluded } from './executor/conditions.ts'
import { getOwn, type Json } from './executor/own.ts'
import { compilePlan } from './executor/plan.ts'
import type { PlanRun } from './executor/plan-run.ts'
import { subgraphError } from './executor/request.ts'
import { type SelectedField, Selection } from './executor/selection.ts'
import { compileShape } from './executor/shape.ts'
import type { SharedFetches } from './executor/shared-fetches.ts'
import { SharedRuns } from './executor/shared-runs.ts'
import { unexplained } from './executor/unexplained.ts'
import { compileIntrospection } from './introspection.ts'
import type { NamedOperation } from './named-operation.ts'
import { type IsShared, selectsOnly } from './shared-selection.ts'
import { compileVariables } from './variables.ts'

/** A stream of events, open as soon as somebody wants them. */
export interface EventStream {
  /** @returns how to leave */
  deliverTo(subscriber: Subscriber): () => void
}

/** An operation that was parsed, validated, planned and compiled; run it as often as you like. */
export interface PreparedOperation {
  kind: 'query' | 'mutation' | 'subscription'
  /** Runs a query or a mutation. Faults of the caller and of subgraphs stand in the result, which others may share. */
  run(variables: Json, context: Context): Promise<ExecutionResult>
  /** @returns the errors of what cannot be subscribed to */
  subscribe(variables: Json, context: Context): Promise<EventStream | ExecutionResult>
  /** How it is subscribed to; undefined for what selects no stream. */
  subscription: PreparedSubscription | undefined
}

export interface OperationParts {
  named: NamedOperation
  schema: GraphQLSchema
  document: DocumentNode
  operation: OperationDefinitionNode
  /** Plans the document; nothing where there is nothing to fetch. */
  plan(document: DocumentNode): QueryPlan['node'] | Promise<QueryPlan['node']>
  link(name: string): SubgraphLink
  fetches: SharedFetches
  streams: LiveStreams
  responses: Responses
  /** Whether callers with the same permissions may share a field's answer; without it, none may. */
  isShared?: IsShared | undefined
  log: Logger
}

/** Compiles an operation and its plan once. */
export async function prepareOperation({
  named,
  schema,
  document,
  operation,
  plan: planOf,
  link,
  fetches,
  streams,
  responses,
  isShared,
  log,
}: OperationParts): Promise<PreparedOperation> {
  const rootType = schema.getRootType(operation.operation)
  if (!rootType) throw new GraphQLError(`The schema has no ${operation.operation}`)
  const selection = new Selection(schema, fragmentsOf(document), [
    { nodes: operation.selectionSet.selections, conditions: [] },
  ])
  const rootFields = selection.fieldsOf(rootType)
  const coerce = compileVariables(schema, document, operation)
  const shape = compileShape(schema, rootType, selection)
  const introspect = compileIntrospection(schema, document, operation, rootFields)
  const unanswered = compileUnanswered(rootFields)
  const place = streamPlaceOf(rootType, rootFields.values())
  const rootNodes = [...rootFields.values()].flatMap(({ nodes }) => nodes)
  const plan = await planOf(
    operation.operation === 'subscription' ? withCursor(document, rootNodes, place) : document,
  )
  const task = plan && plan.kind !== 'Subscription' ? compilePlan(plan) : null

  const runs = new SharedRuns(fetches, log)

  const begin = (variables: Json, context: Context): PlanRun => ({
    schema,
    data: Object.create(null),
    errors: [],
    lost: [],
    variables,
    text: named.text,
    context,
    link,
    fetches,
    log,
  })

  const finish = (run: PlanRun): ExecutionResult => {
    introspect(run.data, run.variables)
    const told = run.errors.length > 0 ? run.errors : unanswered(run)
    if (!plan && told.length > 0) return { errors: told, data: null }
    const { data, errors: faults } = shape(run.data, run.variables)
    const errors = faults.length > 0 ? [...told, ...unexplained(faults, told, run.lost)] : told
    return errors.length > 0 ? { errors, data } : { data }
  }

  const subscription =
    plan?.kind === 'Subscription'
      ? prepareSubscription({
          plan,
          link: link(plan.primary.serviceName),
          place,
          eventKey: compileEventKey(operation, document),
          responses,
          begin,
          finish,
        })
      : undefined

  const isSharable =
    operation.operation === 'subscription' &&
    isShared !== undefined &&
    selectsOnly(schema, document, isShared)

  return {
    kind: operation.operation,
    subscription,
    async run(variables, context) {
      if (operation.operation === 'subscription') return { errors: [NOT_STREAMED] }
      const values = coerce(variables)
      if (Array.isArray(values)) return { errors: values }
      const run = begin(values, context)
      if (!task) return finish(run)
      const execute = () => task(run).then(() => finish(run))
      if (operation.operation !== 'query') return execute()
      return runs.join(values, context, (close) => {
        run.onAnswer = close
        return execute()
      })
    },
    async subscribe(variables, context) {
      const values = coerce(variables)
      if (Array.isArray(values)) return { errors: values }
      if (!subscription)
        return { errors: [new GraphQLError('This subscription selects no stream')] }
      const { caller, headers } = context
      const shared = { caller: sharedCaller(caller), ...(headers && { headers }) }
      const request = {
        operation: named,
        subscription,
        variables: values,
        context: isSharable ? shared : context,
      }
      return { deliverTo: (subscriber) => streams.join(request, subscriber) }
    },
  }
}

const NOT_STREAMED = new GraphQLError(
  'Subscriptions are served over WebSocket and as text/event-stream',
  {
    extensions: { code: 'BAD_USER_INPUT' },
  },
)

/** Finds what the plan had no fetch for, and what a subgraph left out without a word. */
const compileUnanswered =
  (fields: ReadonlyMap<string, SelectedField>) =>
  ({ data, variables }: PlanRun): GraphQLError[] =>
    [...fields]
      .filter(
        ([, { name, gatheredKey, conditions }]) =>
          name !== '__typename' &&
          getOwn(data, gatheredKey) === undefined &&
          isIncluded(conditions, variables),
      )
      .map(([key]) => subgraphError(`No subgraph answers the field ${key}`, [key], undefined))

const fragmentsOf = (document: DocumentNode): Record<string, FragmentDefinitionNode> => {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  return fragments
}
