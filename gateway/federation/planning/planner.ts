import { type Operation, operationFromDocument, Supergraph } from '@apollo/federation-internals'
import { type QueryPlan, QueryPlanner } from '@apollo/query-planner'
import { type DocumentNode, type GraphQLSchema, parse } from 'graphql'
import { FederationError } from '../errors.ts'
import { type JsonReader, PLAIN_JSON } from '../json-reader.ts'
import { withGatheredKeys, withUnconditionalParts } from './client-keys.ts'
import { withLiterals, withMarkedNumbers, withNumbers } from './exact-literals.ts'
import { keepExternalFieldsOut } from './external-fields.ts'
import { mendFetchGroups } from './fetch-groups.ts'
import { allowTypeNamesOfInterfaceObjects } from './interface-objects.ts'
import { fetchesOf } from './plan-fetches.ts'
import { withRequiredFields } from './required-fields.ts'
import { withResolvableKeys } from './resolvable-keys.ts'
import { planBySplitting } from './split-conditions.ts'
import { assertRequirementsMet } from './unmet-requirements.ts'

export interface Planner {
  /** The schema that clients see. */
  schema: GraphQLSchema
  /** Does what the first plan would do for all: in a large supergraph it takes seconds. */
  prepare(): void
  /**
   * Plans a valid operation. Its fetches gather data under the keys of response-key.ts.
   * @returns undefined where there is nothing to fetch
   */
  plan(document: DocumentNode, operationName?: string | null): QueryPlan['node']
}

export interface PlannerOptions {
  /** Of use where composition has not just validated the supergraph: it takes most of the time. */
  validate?: boolean
  /** Ways to reach one field: each level that several subgraphs can answer multiplies them, and the time to plan. */
  maxPaths?: number
  /** The error for an operation with a field that can be reached in more ways. */
  tooManyPaths?(maxPaths: number): Error
  json?: JsonReader
}

const MAX_PATHS = 1_000

const tooManyPathsFor = (maxPaths: number) =>
  new FederationError(
    'OPERATION_LIMIT_EXCEEDED',
    `The operation has a field that can be reached in more than ${maxPaths} ways. Ask for fewer levels at a time.`,
  )

allowTypeNamesOfInterfaceObjects()
keepExternalFieldsOut()
mendFetchGroups()

/** Plans that are compared; from more the planner leaves out what is likely to be worse. */
const MAX_PLANS = 1_000

/**
 * Apollo's planner, with its known faults mended before it and behind it. The package of ApolloGateway, which also holds
 * it, would load telemetry, composition and an executor besides.
 * @throws for what is no supergraph
 */
export function createPlanner(
  supergraphSdl: string,
  {
    validate = false,
    maxPaths = MAX_PATHS,
    tooManyPaths = tooManyPathsFor,
    json = PLAIN_JSON,
  }: PlannerOptions = {},
): Planner {
  if (validate) Supergraph.build(supergraphSdl, { validateSupergraph: true })
  const supergraphOf = (source: DocumentNode) =>
    Supergraph.build(source, { validateSupergraph: false })
  const given = withResolvableKeys(parse(supergraphSdl, { noLocation: true }))
  const required = withRequiredFields(given)
  const supergraph = supergraphOf(required.supergraph)
  const apiSchema = supergraph.apiSchema()
  const planned = required.requirements.size > 0 ? supergraph.schema.toGraphQLJSSchema() : null
  const clientSchema = required.arguments.size > 0 ? supergraphOf(given).apiSchema() : apiSchema
  // Made when it is needed: where operations are planned in another process, this one needs the schema alone.
  let made: QueryPlanner | undefined
  const planner = (): QueryPlanner => {
    made ??= new QueryPlanner(supergraph, {
      reuseQueryFragments: false,
      debug: { maxEvaluatedPlans: MAX_PLANS, pathsLimit: maxPaths },
    })
    return made
  }
  const build = (operation: Operation): QueryPlan => {
    try {
      return planner().buildQueryPlan(operation)
    } catch (error) {
      if (!/^Too many options generated/.test((error as Error).message)) throw error
      throw tooManyPaths(maxPaths)
    }
  }
  const graphOf = (service: string) => supergraph.subgraphNameToGraphEnumValue().get(service)
  const schema = withLiterals(clientSchema.toGraphQLJSSchema(), json)
  const planOf: Planner['plan'] = (document, operationName) => {
    const operation = operationFromDocument(apiSchema, withMarkedNumbers(document, schema), {
      validate: false,
      ...(operationName ? { operationName } : {}),
    })
    const { node } = build(operation)
    if (node && planned) assertRequirementsMet(node, required, graphOf, planned)
    return node && fetchesOf(withNumbers(node), required, graphOf)
  }
  return {
    schema,
    prepare: () => void planner(),
    plan: (document, operationName) =>
      planBySplitting(withUnconditionalParts(withGatheredKeys(document)), (part) =>
        planOf(part, operationName),
      ),
  }
}
