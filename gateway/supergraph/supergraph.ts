import type { QueryPlan } from '@apollo/query-planner'
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../schema/errors.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import { MadeOnce } from '../../subgraphs/shared/made-once.ts'
import type { SubgraphLink } from '../links/link.ts'
import { LiveStreams } from '../subscriptions/live-streams.ts'
import type { Responses } from '../subscriptions/subscription.ts'
import { conditionalStreams } from './conditional-streams.ts'
import { SharedFetches } from './executor/shared-fetches.ts'
import type { NamedOperation } from './named-operation.ts'
import { isTooNested, TOO_NESTED } from './nesting.ts'
import { type PreparedOperation, prepareOperation } from './operation.ts'
import { createPlanner } from './planning/planner.ts'
import { createPlans, type PlansOptions } from './planning/plans.ts'
import type { IsShared } from './shared-selection.ts'

/** An operation, or why there is none. */
export type Prepared = PreparedOperation | readonly GraphQLError[]

/** What a gateway serves. */
export interface Supergraph {
  /** The schema that clients see. */
  readonly schema: GraphQLSchema
  /** Parses, validates, plans and compiles once; the same text is answered from memory. */
  prepare(text: string, operationName?: string | null): Promise<Prepared>
  /** Tells of another schema in its place. @returns the end of being told */
  onReload(listener: (schema: GraphQLSchema) => void): () => void
}

/** One supergraph, which never changes. */
export interface SupergraphVersion extends Supergraph {
  /** The operations that are kept prepared, the latest used first. */
  known(): NamedOperation[]
  /** Whether an operation that was prepared here runs. */
  isBusy(): boolean
  /** Ends its planning process; operations that were prepared still run. */
  stop(): Promise<void>
}

export interface SupergraphOptions extends PlansOptions {
  /** Operations that are kept prepared. */
  planCacheSize?: number
  /** What clients subscribe to, over all versions of a supergraph. */
  streams?: LiveStreams
  /** Queries in flight and what is known of changes, over all versions of a supergraph. */
  fetches?: SharedFetches
  /** Whether callers with the same permissions may share a field's answer; without it, none may. */
  isShared?: IsShared
}

/** Longer documents are prepared each time: they are rare, and a thousand of them would fill the memory. */
const MAX_KEPT_CHARACTERS = 64 * 1024

const PLAN_CACHE_SIZE = 1_000

/**
 * @param supergraphSdl a composed federation 2 supergraph @param links one for each subgraph in it
 * @throws for what is no supergraph
 */
export function loadSupergraph(
  supergraphSdl: string,
  links: readonly SubgraphLink[],
  log: Logger,
  {
    planCacheSize = PLAN_CACHE_SIZE,
    streams = new LiveStreams(log),
    fetches = new SharedFetches(),
    isShared,
    ...plansOptions
  }: SupergraphOptions = {},
): SupergraphVersion {
  const byName = new Map(links.map((link) => [link.name, link]))
  const linkOf = (name: string): SubgraphLink => {
    const link = byName.get(name)
    if (!link)
      throw new AppError(
        'INTERNAL_SERVER_ERROR',
        `The supergraph names the unknown subgraph ${name}`,
      )
    return link
  }
  const planner = createPlanner(supergraphSdl, plansOptions)
  const { schema } = planner
  const responses: Responses = new MadeOnce()
  const plans = createPlans(supergraphSdl, planner, plansOptions)
  const prepared = new LRUCache<string, NamedOperation & { operation: PreparedOperation }>({
    max: planCacheSize,
  })

  /** The planner throws on some operations that are valid: a fault of the product, told without detail. */
  const planned = async (
    ...operation: Parameters<typeof plans.plan>
  ): Promise<QueryPlan['node']> => {
    try {
      return await plans.plan(...operation)
    } catch (error) {
      if (error instanceof AppError) throw error
      log.error({ err: error }, 'An operation could not be planned')
      throw new AppError('INTERNAL_SERVER_ERROR', 'This operation cannot be planned')
    }
  }

  let running = 0
  const counted =
    (run: PreparedOperation['run']): PreparedOperation['run'] =>
    async (variables, context) => {
      running++
      try {
        return await run(variables, context)
      } finally {
        running--
      }
    }

  const prepareValid = async (
    document: DocumentNode,
    named: NamedOperation,
  ): Promise<PreparedOperation> => {
    const { operationName } = named
    const operation = getOperationAST(document, operationName)
    if (!operation)
      throw new AppError(
        'BAD_USER_INPUT',
        'operationName: it must name one operation of the document',
      )
    const prepared = await prepareOperation({
      named,
      schema,
      document,
      operation,
      plan: (given) => planned(given, operationName),
      link: linkOf,
      fetches,
      streams,
      responses,
      isShared,
      log,
    })
    return { ...prepared, run: counted(prepared.run) }
  }

  const prepareNew = async (named: NamedOperation): Promise<Prepared> => {
    const { text } = named
    try {
      if (isTooNested(text)) throw new AppError('BAD_USER_INPUT', TOO_NESTED)
      const document = parse(text)
      const conditional = conditionalStreams(document)
      const errors =
        conditional.length > 0 ? conditional : validate(schema, document, specifiedRules)
      if (errors.length > 0)
        return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'))
      return await prepareValid(document, named)
    } catch (error) {
      return [explain(error)]
    }
  }

  /** Equal operations that come while one of them is prepared wait for that. */
  const preparing = new Map<string, Promise<Prepared>>()

  return {
    schema,
    isBusy: () => running > 0,
    onReload: () => () => {},
    known: () => [...prepared.values()],
    stop: () => plans.stop(),
    async prepare(text, operationName) {
      const key = operationName == null ? text : `\0${operationName}\0${text}`
      const known = prepared.get(key)
      if (known) return known.operation
      const begun = preparing.get(key)
      if (begun) return begun
      const fresh = prepareNew({ text, operationName })
      preparing.set(key, fresh)
      try {
        const operation = await fresh
        if ('run' in operation && text.length <= MAX_KEPT_CHARACTERS)
          prepared.set(key, { text, operationName, operation })
        return operation
      } finally {
        preparing.delete(key)
      }
    },
  }
}

/** Why an operation cannot be prepared. @throws what is no fault of its document */
function explain(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return withCode(error, 'GRAPHQL_PARSE_FAILED')
  if (error instanceof AppError)
    return new GraphQLError(error.message, { extensions: { code: error.code } })
  if (error instanceof RangeError)
    return new GraphQLError(TOO_NESTED, {
      extensions: { code: 'BAD_USER_INPUT' },
    })
  throw error
}

const withCode = ({ message, nodes, source, positions, extensions }: GraphQLError, code: string) =>
  new GraphQLError(message, { nodes, source, positions, extensions: { code, ...extensions } })
