import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  parse,
  specifiedRules,
  subscribe,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../schema/errors.ts'
import { rounded } from '../../schema/exact-number.ts'
import type { Context } from './caller.ts'
import type { Logger } from './logger.ts'
import { mapStream } from './map-stream.ts'
import { maskError } from './mask-errors.ts'
import { asRequest } from './request-scope.ts'
import type { Subgraph } from './subgraph.ts'

/** One operation for a subgraph. */
export interface SubgraphRequest {
  document: string
  variables: Record<string, unknown>
  /** Of a document with several operations. */
  operationName?: string | undefined
}

/** Runs operations of one subgraph. Errors stand in the result, masked where they are faults of the product. */
export interface Executable {
  /** @throws AppError BAD_USER_INPUT for what is no valid operation of the schema */
  documentOf(text: string): DocumentNode
  execute(request: SubgraphRequest, context: Context): Promise<ExecutionResult>
  /** A subscription that is refused yields its errors as the only result. */
  subscribe(
    request: SubgraphRequest,
    context: Context,
  ): Promise<AsyncIterableIterator<ExecutionResult>>
}

/** What of a subgraph is served. */
export type ServedSchema = Pick<Subgraph, 'schema' | 'takesExactNumbers'>

/** Documents come from query plans, which the gateway bounds; this is a bound of its own all the same. */
const MAX_DOCUMENTS = 2_000

/** A schema that parses and validates a document once, never per call. The same in one process and in several. */
export function executable({ schema, takesExactNumbers }: ServedSchema, log: Logger): Executable {
  const documents = new LRUCache<string, DocumentNode>({ max: MAX_DOCUMENTS })

  const documentOf = (text: string): DocumentNode => {
    const known = documents.get(text)
    if (known) return known
    const document = parsed(text)
    const [error] = validate(schema, document, specifiedRules)
    if (error) throw invalid(error)
    documents.set(text, document)
    return document
  }

  const argsOf = (
    { document, variables, operationName }: SubgraphRequest,
    contextValue: Context,
  ) => ({
    schema,
    document: documentOf(document),
    // No copy is made where there is nothing to round.
    variableValues: takesExactNumbers ? variables : (rounded(variables) as typeof variables),
    contextValue,
    operationName,
  })

  const masked = (result: ExecutionResult, { caller }: Context): ExecutionResult =>
    result.errors
      ? { ...result, errors: result.errors.map((error) => maskError(error, caller.requestId, log)) }
      : result

  return {
    documentOf,
    async execute(request, context) {
      log.debug({ requestId: context.caller.requestId }, 'Operation')
      return masked(
        await asRequest(() => execute(argsOf(request, context)), context.caller),
        context,
      )
    },
    async subscribe(request, context) {
      const { requestId } = context.caller
      log.debug({ requestId }, 'Subscription begins')
      const stream = await subscribe(argsOf(request, context))
      const results = Symbol.asyncIterator in stream ? stream : refusal(stream)
      return mapStream(
        results,
        async (result) => masked(result, context),
        () => log.debug({ requestId }, 'Subscription ended'),
      )
    },
  }
}

function parsed(text: string): DocumentNode {
  try {
    return parse(text, { noLocation: true })
  } catch (error) {
    if (error instanceof GraphQLError) throw invalid(error)
    throw error
  }
}

const invalid = (error: GraphQLError) =>
  new AppError('BAD_USER_INPUT', error.message, { cause: error })

async function* refusal(result: ExecutionResult): AsyncGenerator<ExecutionResult> {
  yield result
}
