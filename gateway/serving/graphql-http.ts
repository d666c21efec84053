import {
  ApolloServer,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
} from '@apollo/server'
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import { expressMiddleware } from '@as-integrations/express5'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import { type ExecutionResult, type GraphQLSchema, printSchema } from 'graphql'
import { retryHeaders } from '../../schema/errors.ts'
import { requirePermission } from '../../subgraphs/shared/access/require-permission.ts'
import { ANYONE } from '../../subgraphs/shared/access/rules.ts'
import type { Context } from '../../subgraphs/shared/caller.ts'
import type { ClientOperations } from '../operations/client-operations.ts'
import { callerOf } from './caller-of.ts'
import type { ContextOf } from './context-of.ts'
import { refuseCrossSite } from './cross-site.ts'
import { requireMethod, requireOperation, takeJsonBody } from './graphql-request.ts'
import { readAhead } from './read-ahead.ts'
import { withRequestId } from './response-text.ts'

/** Of equally welcome ones, the first is taken. */
const MEDIA_TYPES = ['application/json', 'application/graphql-response+json']

interface HttpContext extends Context {
  /** How the client wants the answer; false where it wants neither. */
  mediaType: string | false
  /** What came of the operation already. */
  made: Promise<ExecutionResult> | undefined
}

export interface GraphqlHttp {
  handlers: (RequestHandler | ErrorRequestHandler)[]
  stop(): Promise<void>
}

/** GraphQL over HTTP by Apollo Server, which hands operations to our executor. */
export async function createGraphqlHttp(
  operations: ClientOperations,
  contextOf: ContextOf,
  sse: RequestHandler,
  corsOrigins: readonly string[],
): Promise<GraphqlHttp> {
  const { introspection, limits } = operations.rules
  const server = new ApolloServer<HttpContext>({
    gateway: gatewayOf(operations),
    plugins: [ApolloServerPluginLandingPageDisabled(), requestIdInErrors, statusForJson],
    introspection,
    hideSchemaDetailsFromClientErrors: !introspection,
    persistedQueries: false, // found by whoever comes before
    csrfPrevention: false, // refuseCrossSite does it, and needs no header of its own
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
  })
  await server.start()
  return {
    handlers: [
      requireMethod,
      refuseCrossSite(corsOrigins),
      requireSignIn,
      takeJsonBody(limits.OPERATION_MAX_BYTES),
      sse,
      requireOperation(operations),
      expressMiddleware(server, {
        context: async ({ req }) => ({
          ...contextOf(req),
          mediaType: req.accepts(MEDIA_TYPES),
          made: readAhead.get(req)?.result,
        }),
      }),
    ],
    stop: () => server.stop(),
  }
}

const gatewayOf = (
  operations: ClientOperations,
): ApolloServerOptionsWithGateway<HttpContext>['gateway'] => ({
  onSchemaLoadOrUpdate(callback) {
    const tell = (apiSchema: GraphQLSchema) =>
      callback({ apiSchema, coreSupergraphSdl: printSchema(apiSchema) })
    tell(operations.schema)
    return operations.onReload(tell)
  },
  load: async () => ({
    // Apollo Server has validated the document, but perhaps for the supergraph before a reload.
    async executor({ source, request, context }) {
      const { made } = context as HttpContext
      if (made) return made
      const operation = await operations.prepare(source, request.operationName)
      if (!('run' in operation)) return { errors: operation }
      return operation.run(request.variables ?? {}, context as HttpContext)
    },
  }),
  async stop() {},
})

/** Clients find the request in the log, and read from `Retry-After` as over REST when to try again. */
const requestIdInErrors: ApolloServerPlugin<HttpContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ response: { body, http }, contextValue }) {
        if (body.kind !== 'single') return
        for (const { extensions = {} } of body.singleResult.errors ?? [])
          for (const [name, value] of Object.entries(retryHeaders(extensions)))
            http.headers.set(name, value)
        body.singleResult.errors = body.singleResult.errors?.map((error) =>
          withRequestId(error, contextValue.caller.requestId),
        )
      },
    }
  },
}

/**
 * A faulty document or variable is a GraphQL response like any other to a client that reads `application/json`
 * (GraphQL over HTTP, section 6.4.1); it is a 400 only under the newer media type.
 */
const statusForJson: ApolloServerPlugin<HttpContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ response, contextValue }) {
        if (contextValue.mediaType === 'application/json' && response.http.status === 400)
          response.http.status = 200
      },
    }
  },
}

/** A sign-in that is not valid is refused as a whole, before anything is read. */
const requireSignIn: RequestHandler = (request, _response, next) => {
  requirePermission(callerOf(request), ANYONE)
  next()
}
