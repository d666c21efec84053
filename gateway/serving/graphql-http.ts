import {
  ApolloServer,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
} from '@apollo/server'
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import { expressMiddleware } from '@as-integrations/express5'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { type GraphQLFormattedError, printSchema } from 'graphql'
import { failureOf } from '../../rest-bridge/errors.ts'
import { statusOf } from '../../schema/errors.ts'
import type { Context } from '../../subgraphs/shared/caller.ts'
import type { Supergraph } from '../supergraph/supergraph.ts'
import { callerOf } from './caller-of.ts'
import { refuseCrossSite } from './cross-site.ts'
import { BODY_LIMIT, requireJsonBody, requireMethod, requireOperation } from './graphql-request.ts'

/** Of equally welcome ones, the first is taken. */
const MEDIA_TYPES = ['application/json', 'application/graphql-response+json']

interface HttpContext extends Context {
  /** How the client wants the answer; false where it wants neither. */
  mediaType: string | false
}

export interface GraphqlHttp {
  handlers: (RequestHandler | ErrorRequestHandler)[]
  stop(): Promise<void>
}

/** GraphQL over HTTP by Apollo Server, which hands operations to our executor. */
export async function createGraphqlHttp(supergraph: Supergraph): Promise<GraphqlHttp> {
  const server = new ApolloServer<HttpContext>({
    gateway: gatewayOf(supergraph),
    plugins: [ApolloServerPluginLandingPageDisabled(), requestIdInErrors, statusForJson],
    introspection: true,
    csrfPrevention: false, // refuseCrossSite does it, and needs no header of its own
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
  })
  await server.start()
  return {
    handlers: [
      requireMethod,
      refuseCrossSite,
      requireJsonBody,
      express.json({ limit: BODY_LIMIT, type: () => true }),
      requireOperation,
      expressMiddleware(server, {
        context: async ({ req }) => ({
          caller: callerOf(req),
          mediaType: req.accepts(MEDIA_TYPES),
        }),
      }),
      badRequest,
    ],
    stop: () => server.stop(),
  }
}

const gatewayOf = (
  supergraph: Supergraph,
): ApolloServerOptionsWithGateway<HttpContext>['gateway'] => ({
  onSchemaLoadOrUpdate(callback) {
    callback({ apiSchema: supergraph.schema, coreSupergraphSdl: printSchema(supergraph.schema) })
    return () => {}
  },
  load: async () => ({
    executor: ({ queryHash, document, request, context }) =>
      supergraph
        .prepareDocument(queryHash, document, request.operationName)
        .run(request.variables ?? {}, { caller: (context as HttpContext).caller }),
  }),
  async stop() {},
})

const requestIdInErrors: ApolloServerPlugin<HttpContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ response, contextValue }) {
        if (response.body.kind === 'single')
          response.body.singleResult.errors = response.body.singleResult.errors?.map((error) =>
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

export const withRequestId = (
  error: GraphQLFormattedError,
  requestId: string,
): GraphQLFormattedError => ({
  ...error,
  extensions: { ...error.extensions, requestId },
})

/** A body that cannot be read, as a GraphQL response. */
const badRequest: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error)
  const { code, message } = failureOf(error)
  const { requestId } = callerOf(request)
  return response
    .status(statusOf(code))
    .json({ errors: [{ message, extensions: { code, requestId } }] })
}
