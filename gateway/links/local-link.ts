import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  parse,
  specifiedRules,
  subscribe,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../subgraphs/shared/caller.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import { maskError } from '../../subgraphs/shared/mask-errors.ts'
import { mapStream } from '../subscriptions/map-stream.ts'
import type { SubgraphLink, SubgraphRequest } from './link.ts'

/** Documents come from query plans, which the gateway bounds; this is a bound of its own all the same. */
const MAX_DOCUMENTS = 2_000

/** Runs the subgraph's schema in this process. A document is parsed and validated once, never per call. */
export function localLink(name: string, schema: GraphQLSchema, log: Logger): SubgraphLink {
  const documents = new LRUCache<string, DocumentNode>({ max: MAX_DOCUMENTS })

  const documentOf = (text: string): DocumentNode => {
    const known = documents.get(text)
    if (known) return known
    const document = parse(text, { noLocation: true })
    const errors = validate(schema, document, specifiedRules)
    if (errors.length > 0)
      throw new AggregateError(errors, `The plan does not fit the subgraph ${name}`)
    documents.set(text, document)
    return document
  }

  const argsOf = ({ document, variables }: SubgraphRequest, contextValue: Context) => ({
    schema,
    document: documentOf(document),
    variableValues: variables,
    contextValue,
  })

  const masked = (result: ExecutionResult, { caller }: Context): ExecutionResult =>
    result.errors
      ? { ...result, errors: result.errors.map((error) => maskError(error, caller.requestId, log)) }
      : result

  return {
    name,
    execute: async (request, context) => masked(await execute(argsOf(request, context)), context),
    async subscribe(request, context) {
      const stream = await subscribe(argsOf(request, context))
      const results = Symbol.asyncIterator in stream ? stream : refusal(stream)
      return mapStream(results, async (result) => masked(result, context))
    },
    async stop() {},
  }
}

/** A subscription that could not begin is a stream of one result, as it is over a WebSocket. */
async function* refusal(result: ExecutionResult): AsyncGenerator<ExecutionResult> {
  yield result
}
