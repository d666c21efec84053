import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { AppError } from '../schema/errors.ts'
import type { BridgeDeps } from './deps.ts'
import { explorerPages } from './explorer.ts'
import { createIngestion, type Ingestion } from './ingestion/ingestion.ts'
import { DEFAULT_LIMITS } from './ingestion/limits.ts'
import { crossOrigin, requireOwnPage } from './origins.ts'
import { otherMethods, tidyUrl } from './paths.ts'
import { refuse } from './refuse.ts'
import type { Route } from './route.ts'
import { createRouter, type Found } from './router.ts'
import { artifacts } from './routes/artifacts.ts'
import { authentication } from './routes/authentication.ts'
import { events, ingestion } from './routes/events.ts'
import { executions } from './routes/executions.ts'
import { results } from './routes/results.ts'
import { serveRoute } from './serve-route.ts'

/** The REST contract, top to bottom. */
export const routes: readonly Route[] = [
  ...authentication,
  ...artifacts,
  ...executions,
  ...results,
  ...events,
]

export interface RestBridge {
  /** Answers a request of a documented path. @returns false where it is none of those */
  answer(request: Routed, response: ServerResponse): boolean
  /** Answers every other request: with a page of the explorer, or with 404. */
  others: RequestHandler
}

/** What was found for a request, as those who count requests read it. */
interface Routed extends IncomingMessage {
  route?: { path: string }
}

/**
 * Serves the documented REST paths below `root`. It speaks GraphQL, and knows nothing of gateways or subgraphs.
 * Documented paths are served on plain `node:http`: what Express does for a request costs as much as many an operation.
 */
export function createRestBridge<Caller>(
  root: string,
  deps: BridgeDeps<Caller>,
  ingest: Ingestion = createIngestion(ingestion, DEFAULT_LIMITS, deps),
): RestBridge {
  const router = createRouter(root, routes)
  const share = crossOrigin(deps.corsOrigins)

  async function answerFound(
    { route, rows, address }: Found,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    try {
      if (deps.corsOrigins.length > 0) share(request, response, () => {})
      requireOwnPage(request, deps.corsOrigins)
      if (route) await serveRoute(route, address(), request, response, deps)
      else otherMethods(rows.map((row) => row.method))(request, response)
    } catch (error) {
      refuse(error, request, response, deps, { bodyOf: route?.failure?.body })
    }
  }

  return {
    answer(request, response) {
      const found = router(request)
      if (!found) return false
      request.route = { path: found.path }
      if (found.route === ingestion) void ingest(request, response)
      else void answerFound(found, request, response)
      return true
    },
    others: others(root, deps),
  }
}

function others<Caller>(root: string, deps: BridgeDeps<Caller>): RequestHandler {
  const router = express.Router({ caseSensitive: true })
  router.use((request, _response, next) => {
    request.url = tidyUrl(request.url)
    next()
  })
  if (deps.corsOrigins.length > 0) router.use(crossOrigin(deps.corsOrigins))
  router.use((request, _response, next) => {
    requireOwnPage(request, deps.corsOrigins)
    next()
  })
  for (const [path, page] of Object.entries(explorerPages(root)))
    router
      .route(root + path)
      .get(page)
      .all(otherMethods(['get']))
  router.use(({ originalUrl }) => {
    throw new AppError('NOT_FOUND', `There is nothing at ${originalUrl.split('?', 1)[0]}`)
  })
  const fail: ErrorRequestHandler = (error: unknown, request, response, _next) =>
    refuse(error, request, response, deps)
  return router.use(fail)
}
