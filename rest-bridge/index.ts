import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import type { ExecutionResult } from 'graphql'
import { AppError } from '../schema/errors.ts'
import { failureOf, failureResponse, isUnreported } from './errors.ts'
import { parseJson, requireJson, requireLength } from './json-body.ts'
import { allowedMethods, tidyUrl } from './paths.ts'
import type { RestRequest, RestResponse, Route } from './route.ts'
import { artifacts } from './routes/artifacts.ts'
import { events } from './routes/events.ts'
import { executions } from './routes/executions.ts'
import { results } from './routes/results.ts'

/** The REST contract, top to bottom. */
export const routes: readonly Route[] = [...artifacts, ...executions, ...results, ...events]

export interface BridgeDeps<Caller> {
  /** Runs one of the operations in `routes` on behalf of a caller. */
  execute(
    operation: string,
    variables: Record<string, unknown>,
    caller: Caller,
  ): Promise<ExecutionResult>
  /** Who sends a request. */
  callerOf(request: Request): Caller & { requestId: string }
  /** Told of every failure that is a fault of the product, with its request id. */
  onInternalError(error: unknown, requestId: string): void
}

/**
 * Serves the documented REST paths below `root`, and answers whatever is left with 404. It speaks GraphQL, and knows
 * nothing of gateways or subgraphs.
 */
export function createRestBridge<Caller>(root: string, deps: BridgeDeps<Caller>): Router {
  const router = express.Router({ caseSensitive: true })
  const api = express.Router({ caseSensitive: true })
  router.use((request, _response, next) => {
    request.url = tidyUrl(request.url)
    next()
  })
  for (const path of new Set(routes.map((route) => route.path))) {
    for (const route of routes.filter((row) => row.path === path)) {
      const handlers = [...(route.bodyLimit ? [readJson(route.bodyLimit)] : []), serve(route, deps)]
      api[route.method](path, ...handlers, fail(deps, route))
    }
    api.all(path, ({ method }, response) => {
      const allow = allowedMethods(routes, path)
      response.set('Allow', allow)
      throw new AppError('METHOD_NOT_ALLOWED', `${method} is not offered here; use ${allow}`)
    })
  }
  router.use(root || '/', api)
  router.use(({ originalUrl }) => {
    throw new AppError('NOT_FOUND', `There is nothing at ${originalUrl.split('?', 1)[0]}`)
  })
  return router.use(fail(deps))
}

const serve =
  <Caller>(route: Route, { callerOf, execute }: BridgeDeps<Caller>): RequestHandler =>
  async (request, response) => {
    const rest = restRequest(request)
    const variables = route.variables(rest)
    const { data, errors } = await execute(route.operation, variables, callerOf(request))
    if (errors?.[0]) throw failureOf(errors[0])
    send(response, route.respond(data, rest))
  }

const fail =
  <Caller>({ callerOf, onInternalError }: BridgeDeps<Caller>, route?: Route): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    // What was begun cannot be taken back: Express closes the connection.
    if (response.headersSent) return next(error)
    const { requestId } = callerOf(request)
    const failure = failureOf(error)
    if (isUnreported(failure)) onInternalError(error, requestId)
    return send(response, failureResponse(failure, request.originalUrl, requestId, route?.failure))
  }

const send = (response: Response, { status, body, headers = {} }: RestResponse): void =>
  void response.status(status).set(headers).json(body)

/** @param limit bytes at most, inflated */
function readJson(limit: number): RequestHandler {
  const read = express.raw({ type: () => true, limit })
  return async (request, response, next) => {
    requireJson(request.headers['content-type'])
    requireLength(request.headers['content-length'], limit)
    await new Promise<void>((resolve, reject) =>
      read(request, response, (error?: unknown) => (error ? reject(error) : resolve())),
    )
    request.body = parseJson(request.body ?? new Uint8Array())
    next()
  }
}

function restRequest({ baseUrl, path, params, query, headers, body }: Request): RestRequest {
  return {
    path: (baseUrl + path).replace(/\/$/, ''),
    params: lastOfEach(params),
    query: lastOfEach(query),
    repeated: eachAsList(query),
    headers: lastOfEach(headers),
    body,
  }
}

/** Of what is given several times, the last counts. */
function lastOfEach(values: object): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.at(-1) : value,
  ])
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
}

const eachAsList = (values: object): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [
      name,
      [value].flat().filter((each) => typeof each === 'string'),
    ]),
  )
