import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Router,
} from 'express'
import { AppError } from '../schema/errors.ts'
import type { BridgeDeps } from './deps.ts'
import { failureOf, failureResponse, isUnreported } from './errors.ts'
import { explorerPages } from './explorer.ts'
import { createIngestion, type Ingestion } from './ingestion/ingestion.ts'
import { DEFAULT_LIMITS } from './ingestion/limits.ts'
import { bodyTooLarge, readJson, readJsonOrYaml } from './json-body.ts'
import { crossOrigin, requireOwnPage } from './origins.ts'
import { otherMethods, tidyUrl } from './paths.ts'
import type { RestRequest, Route } from './route.ts'
import { artifacts } from './routes/artifacts.ts'
import { authentication } from './routes/authentication.ts'
import { events, ingestion } from './routes/events.ts'
import { executions } from './routes/executions.ts'
import { results } from './routes/results.ts'
import { send } from './send.ts'

/** The REST contract, top to bottom. */
export const routes: readonly Route[] = [
  ...authentication,
  ...artifacts,
  ...executions,
  ...results,
  ...events,
]

/**
 * Serves the documented REST paths below `root`, and answers whatever is left with 404. It speaks GraphQL, and knows
 * nothing of gateways or subgraphs.
 */
export function createRestBridge<Caller>(
  root: string,
  deps: BridgeDeps<Caller>,
  ingest: Ingestion = createIngestion(ingestion, DEFAULT_LIMITS, deps),
): Router {
  const router = express.Router({ caseSensitive: true })
  const areas = new Map<string, Router>()
  const areaOf = (path: string): Router => {
    const area = areas.get(firstOf(path)) ?? express.Router({ caseSensitive: true })
    areas.set(firstOf(path), area)
    return area
  }
  router.use((request, _response, next) => {
    request.url = tidyUrl(request.url)
    next()
  })
  if (deps.corsOrigins.length > 0) router.use(crossOrigin(deps.corsOrigins))
  router.use((request, _response, next) => {
    requireOwnPage(request, deps.corsOrigins)
    next()
  })
  for (const path of new Set(routes.map((route) => route.path))) {
    const served = areaOf(path).route(path)
    const rows = routes.filter((row) => row.path === path)
    for (const route of rows) {
      const handlers =
        route === ingestion
          ? [handing(ingest)]
          : [
              admit(route, deps),
              ...(route.bodyLimit ? [takeBody(route.bodyLimit, route.yaml)] : []),
              serve(route, deps),
            ]
      served[route.method](...handlers, fail(deps, route))
    }
    served.all(otherMethods(rows.map(({ method }) => method)))
  }
  for (const [path, page] of Object.entries(explorerPages(root))) {
    areaOf(path)
      .route(path)
      .get(page)
      .all(otherMethods(['get']))
  }
  // A router compares a request with every path before its own, which costs more than the rest of it: few are left this way.
  router.use(root || '/', (request, response, next) => {
    const area = areas.get(firstOf(request.url))
    if (area) area(request, response, next)
    else next()
  })
  router.use(({ originalUrl }) => {
    throw new AppError('NOT_FOUND', `There is nothing at ${originalUrl.split('?', 1)[0]}`)
  })
  return router.use(fail(deps))
}

/** What stands before the second slash of a path. */
const firstOf = (path: string): string => /^\/[^/?]*/.exec(path)?.[0] ?? ''

/** For requests that came through the router all the same. */
const handing =
  (ingest: Ingestion): RequestHandler =>
  (request, response) =>
    ingest(request, response)

const admit =
  <Caller>({ operation }: Route, deps: BridgeDeps<Caller>): RequestHandler =>
  (request, _response, next) => {
    deps.admit(operation, deps.callerOf(request))
    next()
  }

const serve =
  <Caller>(route: Route, { callerOf, execute }: BridgeDeps<Caller>): RequestHandler =>
  async (request, response) => {
    const rest = restRequest(request)
    const variables = route.variables(rest)
    const { data, errors } = await execute(route.operation, variables, callerOf(request))
    if (errors?.[0]) {
      route.judge?.(data, rest)
      throw failureOf(errors[0])
    }
    send(response, route.respond(data, rest))
  }

const fail =
  <Caller>(
    { callerOf, challenge, onInternalError }: BridgeDeps<Caller>,
    route?: Route,
  ): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    // What was begun cannot be taken back: Express closes the connection.
    if (response.headersSent) return next(error)
    const { requestId } = callerOf(request)
    const failure = failureOf(error)
    if (isUnreported(failure)) onInternalError(error, requestId)
    const [path, bodyOf] = [request.originalUrl, route?.failure?.body]
    return send(response, failureResponse(failure, { path, requestId, challenge, bodyOf }))
  }

/** @param limit bytes at most, inflated */
const takeBody =
  (limit: number, yaml = false): RequestHandler =>
  async (request, _response, next) => {
    const read = yaml ? readJsonOrYaml : readJson
    request.body = await read(request, limit, (actual) =>
      bodyTooLarge(undefined, `The request body has ${actual}; this path accepts ${limit}`),
    )
    next()
  }

function restRequest({ baseUrl, path, params, query, headers, body }: Request): RestRequest {
  return {
    path: (baseUrl + path).replace(/\/$/, ''),
    // No path has a part that stands for several, and no route reads the only header that comes as a list.
    params: params as Record<string, string>,
    headers: headers as Record<string, string>,
    query: lastOfEach(query),
    repeated: eachAsList(query),
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
