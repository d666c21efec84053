import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Router,
} from 'express'
import type { ExecutionResult } from 'graphql'
import { AppError } from '../schema/errors.ts'
import { failureOf, isUnreported, sendFailure } from './errors.ts'
import { methodNotAllowed, pathNotFound, tidyPath } from './paths.ts'
import { readBody } from './read-body.ts'
import type { RestRequest, Route } from './route.ts'
import { events } from './routes/events.ts'
import { executions } from './routes/executions.ts'
import { results } from './routes/results.ts'

/** The REST contract, top to bottom. */
export const routes: readonly Route[] = [...executions, ...results, ...events]

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

/** Serves the documented REST paths. It speaks GraphQL, and knows nothing of gateways or subgraphs. */
export function createRestBridge<Caller>(deps: BridgeDeps<Caller>): Router {
  const router = express.Router({ caseSensitive: true }).use(tidyPath)
  for (const route of routes) router[route.method](route.path, ...handlersOf(route, deps))
  for (const path of new Set(routes.map((route) => route.path)))
    router.all(path, methodNotAllowed(routes, path))
  return router.use(pathNotFound, failWith(deps))
}

function handlersOf<Caller>(
  route: Route,
  deps: BridgeDeps<Caller>,
): (RequestHandler | ErrorRequestHandler)[] {
  const handle: RequestHandler = async (request, response) => {
    const caller = deps.callerOf(request)
    const rest = restRequest(request)
    const { data, errors } = await deps.execute(route.operation, route.variables(rest), caller)
    if (errors?.[0]) throw failureOf(errors[0])
    const { status, body, headers = {} } = route.respond(data, rest)
    response.status(status).set(headers).json(body)
  }
  return [...(route.bodyLimit ? [readBody(route.bodyLimit)] : []), handle, failWith(deps, route)]
}

const failWith =
  <Caller>({ callerOf, onInternalError }: BridgeDeps<Caller>, route?: Route): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    // What was begun cannot be taken back: Express closes the connection.
    if (response.headersSent) return next(error)
    const { requestId } = callerOf(request)
    const failure = failureOf(error)
    if (isUnreported(failure)) onInternalError(error, requestId)
    return sendFailure(response, failure, request.originalUrl, requestId, route?.failure)
  }

function restRequest({ params, query, headers, body }: Request): RestRequest {
  const last = (value: unknown): string | undefined => {
    const text = Array.isArray(value) ? value.at(-1) : value
    return typeof text === 'string' ? text : undefined
  }
  const lastOfEach = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, last(value)]))
  if (Object.values(params).some((value) => typeof value !== 'string'))
    throw new AppError('BAD_USER_INPUT', 'The path is not readable')
  return {
    params: params as Record<string, string>,
    query: lastOfEach(query),
    headers: lastOfEach(headers),
    body,
  }
}
