import type { Server } from 'node:http'
import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  parse,
} from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import type { Context } from '../../subgraphs/shared/caller.ts'
import type { PreparedOperation } from '../supergraph/operation.ts'
import type { Supergraph } from '../supergraph/supergraph.ts'
import { callerOf } from './caller-of.ts'
import { isOtherHost } from './cross-site.ts'
import { withRequestId } from './graphql-http.ts'

/** Bytes of one message. */
const MESSAGE_LIMIT = 1024 * 1024

/** WebSocket close code (IANA registry): come back soon. Clients of graphql-ws do so by themselves. */
const SERVICE_RESTART = 1012

/** What graphql-ws carries from `onSubscribe` to `execute` and `subscribe`. */
interface Prepared {
  operation: PreparedOperation
  variables: Record<string, unknown>
  context: Context
}

/** GraphQL over WebSocket (graphql-transport-ws): queries, mutations and subscriptions. */
export function serveGraphqlWebSocket(
  http: Server,
  path: string,
  supergraph: Supergraph,
): { stop(): Promise<void> } {
  const sockets = new WebSocketServer({
    server: http,
    path,
    maxPayload: MESSAGE_LIMIT,
    // Browsers ask nobody before they open a socket to another host: whoever runs Assay must not serve every web page.
    verifyClient: ({ origin, req }, done) => done(!isOtherHost(origin, req.headers.host), 403),
  })
  const server = useServer(
    {
      onSubscribe({ extra }, _id, { query, operationName, variables }) {
        const operation = supergraph.prepare(query, operationName)
        if (!('run' in operation)) return operation
        const prepared: Prepared = {
          operation,
          variables: variables ?? {},
          context: { caller: callerOf(extra.request) },
        }
        // Only `contextValue` is read again; graphql-ws wants the rest to tell subscriptions from queries.
        return {
          schema: supergraph.schema,
          document: DOCUMENT_OF[operation.kind],
          contextValue: prepared,
        }
      },
      execute: ({ contextValue }: ExecutionArgs) => {
        const { operation, variables, context } = contextValue as Prepared
        return operation.run(variables, context)
      },
      subscribe: ({ contextValue }: ExecutionArgs) => {
        const { operation, variables, context } = contextValue as Prepared
        return operation.subscribe(variables, context)
      },
      onNext: ({ extra }, _id, _payload, _args, result: ExecutionResult) => ({
        ...result,
        errors: result.errors?.map((error) =>
          withRequestId(plain(error), callerOf(extra.request).requestId),
        ),
      }),
      onError: ({ extra }, _id, _payload, errors) =>
        errors.map((error) => withRequestId(plain(error), callerOf(extra.request).requestId)),
      isProd: true, // what goes wrong inside is not told to clients
    },
    sockets,
  )
  return {
    async stop() {
      for (const client of sockets.clients) client.close(SERVICE_RESTART)
      await server.dispose()
    },
  }
}

/** graphql-ws takes the kind of an operation from its document; ours is prepared and needs no other. */
const DOCUMENT_OF = {
  query: parse('query { __typename }'),
  mutation: parse('mutation { __typename }'),
  subscription: parse('subscription { __typename }'),
} as const

/** Errors come as instances, or as what Apollo or a subgraph made of them. */
const plain = (error: GraphQLError | GraphQLFormattedError): GraphQLFormattedError =>
  error instanceof GraphQLError ? error.toJSON() : error
