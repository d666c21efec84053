import { ApolloServer, type ApolloServerPlugin, HeaderMap } from '@apollo/server'
import {
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import type { RequestHandler } from 'express'
import type { GraphQLSchema } from 'graphql'
import type { Context } from '../access/caller.ts'
import type { Logger } from '../process/logger.ts'
import type { Executable } from './executable.ts'
import { beat } from './heartbeat.ts'

export interface ApolloOptions {
  schema: GraphQLSchema
  subgraph: Executable
  /** True if callers may ask for the schema. */
  introspection: boolean
  log: Logger
}

export interface ApolloSubgraph {
  handler: RequestHandler
  stop(): Promise<void>
}

/**
 * GraphQL over HTTP by Apollo Server, for whichever router of the field stands in front: it judges requests and documents
 * and negotiates the media type; the subgraph runs the operation as it does for our gateway.
 */
export async function apolloSubgraph({
  schema,
  subgraph,
  introspection,
  log,
}: ApolloOptions): Promise<ApolloSubgraph> {
  const server = new ApolloServer<Context>({
    schema,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      runBy(subgraph),
    ],
    introspection,
    hideSchemaDetailsFromClientErrors: !introspection,
    persistedQueries: false,
    csrfPrevention: false, // callers are signed
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    logger: log,
  })
  await server.start()

  const handler: RequestHandler = async (request, response) => {
    const headers = new HeaderMap()
    for (const [name, value] of Object.entries(request.headers))
      if (value !== undefined) headers.set(name, String(value))
    const { method, body, url } = request
    const search = url.includes('?') ? url.slice(url.indexOf('?')) : ''
    const { caller } = response.locals
    const stop = beat(response)
    const answer = await server
      .executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method, headers, search, body },
        context: async () => ({ caller }),
      })
      .finally(stop)
    if (answer.body.kind !== 'complete') throw new Error('No operation is answered in parts')
    // After the first beat, the status and headers of the answer cannot be sent any more.
    if (!response.headersSent) {
      response.status(answer.status ?? 200)
      for (const [name, value] of answer.headers) response.setHeader(name, value)
    }
    response.end(answer.body.string)
  }
  return { handler, stop: () => server.stop() }
}

const runBy = (subgraph: Executable): ApolloServerPlugin<Context> => ({
  async requestDidStart() {
    return {
      async responseForOperation({ source, request, response, contextValue }) {
        const { variables = {}, operationName } = request
        const singleResult = await subgraph.execute(
          { document: source, variables, operationName },
          contextValue,
        )
        return { http: response.http, body: { kind: 'single', singleResult } }
      },
    }
  },
})
