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
import type { SubgraphLink } from '../links/link.ts'
import { isTooNested, TOO_NESTED } from './nesting.ts'
import { type PreparedOperation, prepareOperation } from './operation.ts'
import { createPlanner } from './planning/planner.ts'

export interface Supergraph {
  /** The schema that clients see. */
  schema: GraphQLSchema
  /** Parses, validates, plans and compiles once; the same text is answered from memory. */
  prepare(text: string, operationName?: string | null): PreparedOperation | readonly GraphQLError[]
  /** The same for a document that was parsed and validated already; `key` identifies it. */
  prepareDocument(
    key: string,
    document: DocumentNode,
    operationName?: string | null,
  ): PreparedOperation
}

const MAX_OPERATIONS = 1_000

/** @param supergraphSdl a composed federation 2 supergraph @param links one for each subgraph in it */
export function loadSupergraph(
  supergraphSdl: string,
  links: readonly SubgraphLink[],
  log: Logger,
): Supergraph {
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
  const { schema, plan } = createPlanner(supergraphSdl)
  const prepared = new LRUCache<string, PreparedOperation>({ max: MAX_OPERATIONS })

  /** The planner throws on some operations that are valid: a fault of the product, told without detail. */
  const planned = (...operation: Parameters<typeof plan>): QueryPlan['node'] => {
    try {
      return plan(...operation)
    } catch (error) {
      if (error instanceof GraphQLError) throw error
      log.error({ err: error }, 'An operation could not be planned')
      throw new AppError('INTERNAL_SERVER_ERROR', 'This operation cannot be planned')
    }
  }

  const prepareDocument: Supergraph['prepareDocument'] = (key, document, operationName) => {
    const cacheKey = `${operationName ?? ''}\n${key}`
    const known = prepared.get(cacheKey)
    if (known) return known
    const operation = getOperationAST(document, operationName)
    if (!operation)
      throw new AppError(
        'BAD_USER_INPUT',
        'operationName: it must name one operation of the document',
      )
    const fresh = prepareOperation({
      schema,
      document,
      operation,
      plan: planned(document, operationName),
      link: linkOf,
      log,
    })
    prepared.set(cacheKey, fresh)
    return fresh
  }

  return {
    schema,
    prepareDocument,
    prepare(text, operationName) {
      const known = prepared.get(`${operationName ?? ''}\n${text}`)
      if (known) return known
      try {
        if (isTooNested(text)) throw new AppError('BAD_USER_INPUT', TOO_NESTED)
        const document = parse(text)
        const errors = validate(schema, document, specifiedRules)
        if (errors.length === 0) return prepareDocument(text, document, operationName)
        return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'))
      } catch (error) {
        return [explain(error)]
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
