import {
  DEFAULT_SUPPORTED_SUPERGRAPH_FEATURES,
  operationFromDocument,
  Supergraph,
} from '@apollo/federation-internals'
import { type QueryPlan, QueryPlanner } from '@apollo/query-planner'
import { type DocumentNode, type FieldNode, type GraphQLSchema, Kind, parse, visit } from 'graphql'
import { type AccessRules, accessRulesOf } from '../access/access-rules.ts'
import type { ApolloFixes } from '../apollo-fixes/apply.ts'
import { withUnconditionalParts } from '../apollo-fixes/conditional-parts.ts'
import type { Correction, PlannedSupergraph } from '../apollo-fixes/fix.ts'
import { withLiterals, withMarkedNumbers, withNumbers } from '../apollo-fixes/rounded-literals.ts'
import { FederationError } from '../errors.ts'
import { type JsonReader, PLAIN_JSON } from '../json-reader.ts'
import { type CostTable, costTableOf } from '../supergraph/cost-table.ts'
import { enforceOneOf, withoutOneOf } from '../supergraph/one-of.ts'
import { type OverrideLabels, overrideLabelsOf } from '../supergraph/override-labels.ts'
import { clientVariable, gatheredKeyOf, isOfPlans } from './response-key.ts'

/** Selection that the planner gets to see of `__schema` and `__type`. */
const SEEN: FieldNode['selectionSet'] = {
  kind: Kind.SELECTION_SET,
  selections: [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }],
}

/**
 * An operation without what it selects of the schema: introspection.ts answers that, by the schema's own version of
 * GraphQL, and the planner does not know all of its fields.
 */
const withoutIntrospection = (document: DocumentNode): DocumentNode =>
  visit(document, {
    Field: (field) =>
      field.name.value === '__schema' || field.name.value === '__type'
        ? { ...field, selectionSet: SEEN }
        : undefined,
    FragmentDefinition: ({ typeCondition }) =>
      typeCondition.name.value.startsWith('__') ? null : undefined,
  })

/**
 * A client's document as the planner gets it: each field at the key where its value is gathered, so that neither an
 * alias nor arguments of the client can take the place of a key or of a required field.
 */
const withGatheredKeys = (document: DocumentNode): DocumentNode =>
  visit(document, {
    Field(node) {
      const key = gatheredKeyOf(node)
      if (key === (node.alias ?? node.name).value) return undefined
      return {
        ...node,
        alias: key === node.name.value ? undefined : { kind: Kind.NAME, value: key },
      }
    },
    Variable: (node) =>
      isOfPlans(node.name.value)
        ? { ...node, name: { kind: Kind.NAME, value: clientVariable(node.name.value) } }
        : undefined,
  })

export interface Planner {
  /** The schema that clients see. */
  schema: GraphQLSchema
  /** Does what the first plan would do for all: in a large supergraph it takes seconds. */
  prepare(): void
  /**
   * Plans a valid operation. Its fetches gather data under the keys of response-key.ts.
   * @returns undefined where there is nothing to fetch
   */
  plan(
    document: DocumentNode,
    operationName?: string | null,
    /** Labels of `@override` that are on. */
    overrides?: readonly string[],
  ): QueryPlan['node']
  overrideLabels: OverrideLabels
  /** Requirements for callers, by field; undefined without any. */
  access: AccessRules | undefined
  /** Weights and sizes by `@cost` and `@listSize`; undefined without them. */
  costs: CostTable | undefined
}

export interface PlannerOptions {
  /** Validates a supergraph that composition has not just validated: it takes most of the time. */
  validate?: boolean
  /** Ways to reach one field: each level that several subgraphs can answer multiplies them, and the time to plan. */
  maxPaths?: number
  /** The error for an operation with a field that can be reached in more ways. */
  tooManyPaths?(maxPaths: number): Error
  /** For supergraphs that use more of federation than ours. */
  fixes?: Pick<ApolloFixes, 'correct'>
  json?: JsonReader
  /** Labels of `@override` that the operator sets: on, off, or for a percentage of requests. */
  labels?: Readonly<Record<string, boolean | number>>
}

const MAX_PATHS = 1_000

/** Features that change no plan; `@cacheTag` is for caches of responses. */
const FEATURES = new Set([
  ...DEFAULT_SUPPORTED_SUPERGRAPH_FEATURES,
  'https://specs.apollo.dev/cacheTag/v0.1',
  // Run by contexts.ts.
  'https://specs.apollo.dev/context/v0.1',
  // Enforced in access/.
  'https://specs.apollo.dev/authenticated/v0.1',
  'https://specs.apollo.dev/requiresScopes/v0.1',
  'https://specs.apollo.dev/policy/v0.1',
])

const tooManyPathsFor = (maxPaths: number) =>
  new FederationError(
    'OPERATION_LIMIT_EXCEEDED',
    `The operation has a field that can be reached in more than ${maxPaths} ways. Ask for fewer levels at a time.`,
  )

/** Maximum number of plans compared; beyond it the planner prunes the likely worse ones. */
const MAX_PLANS = 1_000

const uncorrected = (supergraph: DocumentNode): Required<Correction> => ({
  supergraph,
  corrected: (plan) => plan,
})

/**
 * Apollo's planner, asked in a way that avoids the defects that show in any graph. The package of ApolloGateway, which
 * also holds it, would load telemetry, composition and an executor besides.
 * @throws if the schema is no supergraph
 */
export function createPlanner(
  supergraphSdl: string,
  {
    validate = false,
    maxPaths = MAX_PATHS,
    tooManyPaths = tooManyPathsFor,
    fixes = { correct: uncorrected },
    json = PLAIN_JSON,
    labels,
  }: PlannerOptions = {},
): Planner {
  const { names: oneOf, rest: given } = withoutOneOf(parse(supergraphSdl, { noLocation: true }))
  if (validate) supergraphOf(given, true)
  const { supergraph: corrected, corrected: correct } = fixes.correct(given)
  const supergraph = supergraphOf(corrected)
  if (validate) refuseUnplannable(supergraph)
  const apiSchema = supergraph.apiSchema()
  const clientSchema = corrected === given ? apiSchema : supergraphOf(given).apiSchema()
  const schema = withLiterals(clientSchema.toGraphQLJSSchema({ includeDefer: true }), json)
  enforceOneOf(schema, oneOf)
  const planned: PlannedSupergraph = {
    schema: lazily(() => supergraph.schema.toGraphQLJSSchema()),
    graphOf: (service) => supergraph.subgraphNameToGraphEnumValue().get(service),
  }
  const apollo = new ApolloPlanner(supergraph, maxPaths, () => tooManyPaths(maxPaths))
  return {
    schema,
    prepare: () => apollo.prepare(),
    overrideLabels: overrideLabelsOf(given, labels),
    access: accessRulesOf(given, schema),
    costs: costTableOf(given),
    plan(document, operationName, overrides) {
      const asked = withUnconditionalParts(withGatheredKeys(withoutIntrospection(document)))
      const { node } = apollo.plan(withMarkedNumbers(asked, schema), operationName, overrides)
      return node && correct(withNumbers(node), planned)
    },
  }
}

const supergraphOf = (source: DocumentNode, validateSupergraph = false): Supergraph =>
  Supergraph.build(source, { validateSupergraph, supportedFeatures: FEATURES })

class ApolloPlanner {
  readonly #schema: ReturnType<Supergraph['apiSchema']>
  /** Made when it is needed: where operations are planned in another process, this one needs the schema alone. */
  readonly #planner: () => QueryPlanner
  readonly #tooManyPaths: () => Error

  constructor(supergraph: Supergraph, maxPaths: number, tooManyPaths: () => Error) {
    this.#tooManyPaths = tooManyPaths
    this.#schema = supergraph.apiSchema()
    this.#planner = lazily(
      () =>
        new QueryPlanner(supergraph, {
          reuseQueryFragments: false,
          // Else each object of a list is asked for what any of its types is asked for, with all arguments.
          typeConditionedFetching: true,
          incrementalDelivery: { enableDefer: true },
          debug: { maxEvaluatedPlans: MAX_PLANS, pathsLimit: maxPaths },
        }),
    )
  }

  prepare(): void {
    this.#planner()
  }

  /** @throws Error without a code where the planner fails: its messages are about itself */
  plan(
    document: DocumentNode,
    operationName?: string | null,
    overrides: readonly string[] = [],
  ): QueryPlan {
    try {
      const operation = operationFromDocument(this.#schema, document, {
        validate: false,
        ...(operationName ? { operationName } : {}),
      })
      return this.#planner().buildQueryPlan(operation, {
        overrideConditions: new Map(overrides.map((label) => [label, true])),
      })
    } catch (cause) {
      const { message } = cause as Error
      if (/^Too many options generated/.test(message)) throw this.#tooManyPaths()
      throw new Error(message, { cause })
    }
  }
}

/** @throws Error for a supergraph that is valid, and of which no operation, or not each, could be planned */
function refuseUnplannable(supergraph: Supergraph): void {
  try {
    supergraph.subgraphs()
  } catch (cause) {
    const { message } = cause as Error
    throw new Error(`It cannot be split into its subgraphs: ${message}`, { cause })
  }
}

function lazily<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}
