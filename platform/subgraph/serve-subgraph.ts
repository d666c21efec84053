import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { type ExecutionArgs, GraphQLError } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { AppError, statusOf } from '../../formats/errors.ts'
import { failureOf } from '../../formats/failure.ts'
import { parseExact } from '../../formats/json/json.ts'
import { CALLER_HEADER, type CallerSignature, PLANNED_HEADER } from '../access/caller-signature.ts'
import {
  httpRequests,
  METHOD_LABELS,
  operationCounts,
  type ProcessMetrics,
} from '../metrics/process-metrics.ts'
import type { GracePeriod } from '../process/grace-period.ts'
import type { Logger } from '../process/logger.ts'
import { withReleasers } from '../process/releasers.ts'
import { requestIdOf, traceparentOf } from '../tracing/trace.ts'
import type { ApolloOptions, ApolloSubgraph } from './apollo-subgraph.ts'
import { CLOSABLE, closeGracefully, leaveGracefully } from './close-gracefully.ts'
import { type Executable, executable, type ServedSchema } from './executable.ts'
import { beat } from './heartbeat.ts'
import type { Subgraph } from './subgraph.ts'

export interface ServeOptions {
  /** For traces and metrics. */
  name?: string
  host: string
  port: number
  signature: CallerSignature
  subgraph: ServedSchema & Pick<Subgraph, 'facts'>
  /** INTROSPECTION */
  introspection: boolean
  /** SHUTDOWN_DELAY_SECONDS */
  shutdownDelaySeconds?: number
  /** Characters. OPERATION_MAX_RESPONSE */
  maxResponse?: number
  log: Logger
  metrics: ProcessMetrics
}

/** A plan's request with all its variables; events come in bodies of up to 32 MiB. */
const JSON_BODY = { type: 'application/json', limit: 40 * 1024 * 1024 }

/** Serves a subgraph by itself: GraphQL over HTTP and WebSocket, to callers whose context the gateway signed. */
export const serveSubgraph = ({
  name,
  host,
  port,
  signature,
  subgraph: served,
  introspection,
  shutdownDelaySeconds = 0,
  maxResponse,
  log,
  metrics,
}: ServeOptions): Promise<{ url: string; stop(grace?: GracePeriod): Promise<void> }> =>
  withReleasers(async (releasers) => {
    const subgraph = executable(served, log, {
      name,
      counts: operationCounts(metrics),
      maxResponse,
    })
    const app = express().disable('x-powered-by').disable('etag')
    app.use(measured(metrics))
    app.get(
      '/healthz',
      (_request, response) => void response.json({ status: 'ok', ...served.facts?.() }),
    )
    let isStopping = false
    app.get('/readyz', (_request, response) => {
      response.status(isStopping ? 503 : 200).json({ status: isStopping ? 'stopping' : 'ok' })
    })
    const apollo = new LazyApollo({ schema: served.schema, subgraph, introspection, log })
    releasers.defer(() => apollo.stop())
    const read = [verify(signature), express.text(JSON_BODY), parsed]
    app.use('/graphql', ...read, planned(subgraph), apollo.handler)
    app.use(({ path }) => {
      throw new AppError('NOT_FOUND', `There is nothing at ${path}`)
    })
    app.use(refuse(log))

    const http = createServer(CLOSABLE, app)
    http.listen(port, host)
    await once(http, 'listening')
    releasers.defer((grace) => closeGracefully(http, grace))
    releasers.defer(serveSockets(http, subgraph, served, signature))
    releasers.defer(() => {
      isStopping = true
      return leaveGracefully(http, shutdownDelaySeconds)
    })
    const address = http.address() as AddressInfo
    return {
      url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/graphql`,
      stop: (grace) => releasers.release(grace),
    }
  })

/** Only other routers need Apollo Server, which takes a while to load. */
class LazyApollo {
  #started: Promise<ApolloSubgraph> | undefined

  constructor(private readonly options: ApolloOptions) {}

  readonly handler: RequestHandler = async (request, response, next) => {
    this.#started ??= this.#start()
    return (await this.#started).handler(request, response, next)
  }

  async #start(): Promise<ApolloSubgraph> {
    const { apolloSubgraph } = await import('./apollo-subgraph.ts')
    return apolloSubgraph(this.options)
  }

  async stop(): Promise<void> {
    await (await this.#started)?.stop()
  }
}

const ROUTES: ReadonlySet<string> = new Set(['/graphql', '/healthz', '/readyz'])

const measured = (metrics: ProcessMetrics): RequestHandler => {
  const requests = httpRequests(metrics)
  return ({ method, path }, response, next) => {
    const began = performance.now()
    const route = ROUTES.has(path) ? path : 'other'
    response.once('close', () =>
      requests.observe(
        {
          method: METHOD_LABELS.has(method) ? method : 'other',
          route,
          status: String(response.statusCode),
        },
        (performance.now() - began) / 1_000,
      ),
    )
    next()
  }
}

/** Before anything is read: strangers cost nothing. */
const verify =
  (signature: CallerSignature): RequestHandler =>
  async (request, response, next) => {
    const caller = await signature.verify(request.headers[CALLER_HEADER])
    const traceparent = traceparentOf(request.headers.traceparent)
    response.locals.caller = traceparent ? { ...caller, traceparent } : caller
    next()
  }

/** Numbers keep their digits, which the parsers of Express and Apollo Server would round. */
const parsed: RequestHandler = (request, _response, next) => {
  const { body } = request
  // Express leaves out a body of another type.
  request.body = typeof body === 'string' ? jsonOf(body) : {}
  next()
}

/** @throws AppError BAD_USER_INPUT unless the text is JSON */
function jsonOf(text: string): unknown {
  try {
    return parseExact(text) ?? {}
  } catch (cause) {
    throw new AppError('BAD_USER_INPUT', 'The request body cannot be read', { cause })
  }
}

/** The direct route of our gateway, for what its plans ask. */
const planned =
  (subgraph: Executable): RequestHandler =>
  async (request, response, next) => {
    if (request.headers[PLANNED_HEADER] === undefined) return next()
    const { query, variables = {} } = request.body as Partial<SubgraphRequestBody>
    if (typeof query !== 'string') throw new AppError('BAD_USER_INPUT', 'query: expected a text')
    const { caller } = response.locals
    const stop = beat(response)
    const result = await subgraph.execute({ document: query, variables }, { caller }).finally(stop)
    if (response.headersSent) response.end(JSON.stringify(result))
    else response.json(result)
  }

/** As the gateway sends it; each part is checked where it is used. */
interface SubgraphRequestBody {
  query: unknown
  variables: Record<string, unknown>
}

/** Refusal of a request as a whole, as a GraphQL response. */
const refuse =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error)
    const { code, message } = failureOf(error)
    const requestId = requestIdOf(request.headers['x-request-id'])
    if (code === 'INTERNAL_SERVER_ERROR')
      log.error({ err: error, requestId }, 'A request to the subgraph failed')
    const extensions = { code, requestId }
    // Its own status is what the gateway makes of it.
    const status = statusOf(code === 'DOWNSTREAM_REFUSED' ? 'UNAUTHENTICATED' : code)
    return response.status(status).json({ errors: [{ message, extensions }] })
  }

type Operation = Parameters<Executable['execute']>

/** graphql-ws hands back what `onSubscribe` made, as `unknown`. */
const operationOf = ({ contextValue }: ExecutionArgs) => contextValue as Operation

/** One socket carries the operations of many callers; each brings its signed context and is refused by itself. */
function serveSockets(
  http: Server,
  subgraph: Executable,
  { schema }: ServedSchema,
  signature: CallerSignature,
): () => Promise<void> {
  const sockets = new WebSocketServer({ server: http, path: '/graphql' })
  const server = useServer(
    {
      async onSubscribe(_connection, _id, { query, variables, extensions }) {
        try {
          const caller = await signature.verify(extensions?.[CALLER_HEADER])
          const operation: Operation = [{ document: query, variables: variables ?? {} }, { caller }]
          return { schema, document: subgraph.documentOf(query), contextValue: operation }
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          return [new GraphQLError(error.message, { originalError: error })]
        }
      },
      execute: (args) => subgraph.execute(...operationOf(args)),
      subscribe: (args) => subgraph.subscribe(...operationOf(args)),
      isProd: true, // shows no internal errors
    },
    sockets,
  )
  return async () => server.dispose()
}
