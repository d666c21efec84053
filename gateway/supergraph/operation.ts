import type { QueryPlan } from '@apollo/query-planner'
import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import type { Context } from '../../subgraphs/shared/caller.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { SubgraphLink } from '../links/link.ts'
import { subscribeToPlan } from '../subscriptions/subscribe-to-plan.ts'
import type { Json } from './executor/own.ts'
import { setOwn } from './executor/own.ts'
import { compilePlan } from './executor/plan.ts'
import type { PlanRun } from './executor/plan-run.ts'
import { Selection } from './executor/selection.ts'
import { compileShape } from './executor/shape.ts'

/** An operation that was parsed, validated, planned and compiled; run it as often as you like. */
export interface PreparedOperation {
  kind: 'query' | 'mutation' | 'subscription'
  /** Runs a query or a mutation. Faults of the caller and of subgraphs stand in the result. */
  run(variables: Json, context: Context): Promise<ExecutionResult>
  /** Starts a subscription. */
  subscribe(
    variables: Json,
    context: Context,
  ): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>
}

export interface OperationParts {
  schema: GraphQLSchema
  document: DocumentNode
  operation: OperationDefinitionNode
  plan: QueryPlan
  link(name: string): SubgraphLink
  log: Logger
}

export function prepareOperation({
  schema,
  document,
  operation,
  plan,
  link,
  log,
}: OperationParts): PreparedOperation {
  const rootType = schema.getRootType(operation.operation)
  if (!rootType) throw new GraphQLError(`The schema has no ${operation.operation}`)
  const selection = new Selection(schema, fragmentsOf(document), [
    { nodes: operation.selectionSet.selections, conditions: [] },
  ])
  const shape = compileShape(schema, rootType, selection)
  const introspect = compileIntrospection(schema, document, operation, selection.fieldsOf(rootType))
  const node = plan.node
  const task = node && node.kind !== 'Subscription' ? compilePlan(node) : null

  const begin = (values: Json, context: Context): PlanRun => ({
    schema,
    data: Object.create(null),
    errors: [],
    variables: values,
    context,
    link,
    log,
  })

  const finish = ({ data, errors, variables }: PlanRun): ExecutionResult => {
    introspect(data, variables)
    const shaped = shape(data, variables)
    if (errors.length > 0) return { errors, data: shaped.data }
    return shaped.errors.length > 0
      ? { data: shaped.data, extensions: { valueCompletion: shaped.errors } }
      : { data: shaped.data }
  }

  return {
    kind: operation.operation,
    async run(variables, context) {
      const values = coerce(schema, operation, variables)
      if (Array.isArray(values)) return { errors: values }
      const run = begin(values, context)
      await task?.(run)
      return finish(run)
    },
    async subscribe(variables, context) {
      const values = coerce(schema, operation, variables)
      if (Array.isArray(values)) return { errors: values }
      if (node?.kind !== 'Subscription')
        return { errors: [new GraphQLError('This subscription selects no stream')] }
      return subscribeToPlan(node, () => begin(values, context), finish)
    },
  }
}

/** Checks the variables against the schema; subgraphs get them as the client sent them, with defaults filled in. */
function coerce(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Json,
): Json | GraphQLError[] {
  const { errors, coerced } = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    variables,
  )
  if (coerced) return { ...coerced, ...variables }
  return errors.map(
    ({ message, nodes }) =>
      new GraphQLError(message, { nodes, extensions: { code: 'BAD_USER_INPUT' } }),
  )
}

const fragmentsOf = (document: DocumentNode): Record<string, FragmentDefinitionNode> => {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  return fragments
}

/** `__schema` and `__type` are answered by the gateway itself. */
function compileIntrospection(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  fields: ReturnType<Selection['fieldsOf']>,
): (data: Json, variables: Json) => void {
  const meta = [...fields].filter(([, { name }]) => name === '__schema' || name === '__type')
  if (meta.length === 0) return () => {}
  const selections = meta.flatMap(([, { node }]) => node)
  const introspection: DocumentNode = {
    ...document,
    definitions: [
      { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections } },
      ...document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION),
    ],
  }
  return (data, variableValues) => {
    const result = executeSync({ schema, document: introspection, variableValues })
    for (const [key] of meta) setOwn(data, key, result.data?.[key])
  }
}
