import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExecutionResult } from 'graphql'
import {
  failureOf,
  failureResponse,
  isUnreported,
  type Refusable,
  requireValidSignIn,
} from '../errors.ts'
import { bodyTooLarge, parseJson, requireJson } from '../json-body.ts'
import { readBody } from '../read-body.ts'
import type { RestResponse, Route } from '../route.ts'
import type { IngestionLimits } from './limits.ts'
import { type RateHeaders, RateLimit, RateLimited } from './rate-limit.ts'
import { type Place, WaitingRoom } from './waiting-room.ts'

export interface IngestionDeps<Caller> {
  execute(
    operation: string,
    variables: Record<string, unknown>,
    caller: Caller,
  ): Promise<ExecutionResult>
  callerOf(request: IncomingMessage): Caller & Refusable & { requestId: string }
  /** Told of every failure that is a fault of the product, with its request id. */
  onInternalError(error: unknown, requestId: string): void
}

export type Ingestion = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Whether a request needs nothing that only the router does. @param root the API root path */
export const isPlainIngestion = (root: string) => {
  const path = `${root}/v1/events`
  return ({ method, url, headers }: IncomingMessage): boolean =>
    url === path && method === 'POST' && headers.origin === undefined
}

/**
 * Serves the route that takes events, on plain `node:http`: what a framework does for a request costs several times as
 * much as storing one event. It refuses what is too much before reading or parsing it.
 */
export function createIngestion<Caller>(
  route: Route,
  limits: IngestionLimits,
  { execute, callerOf, onInternalError }: IngestionDeps<Caller>,
): Ingestion {
  const room = new WaitingRoom(limits)
  const rate = limits.perMinute === null ? null : new RateLimit(limits.perMinute)

  async function answer(
    request: IncomingMessage,
    caller: Caller,
    place: Place,
  ): Promise<RestResponse> {
    const { headers } = request
    requireJson(headers['content-type'])
    if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge(limits)
    await rate?.assertAny(request)
    let bytes = 0
    const rawBody = await readBody(request, (more) => {
      bytes += more
      if (bytes > limits.bodyBytes) throw tooLarge(limits)
      place.addBytes(more)
    })
    const body = parseJson(rawBody)
    const events = Array.isArray(body) ? body.length : 1
    place.addEvents(events)
    const rateHeaders: RateHeaders = (await rate?.take(request, events)) ?? {}
    const rest = {
      path: pathOf(request),
      params: {},
      query: {},
      repeated: {},
      headers: headers as Record<string, string>,
      body,
      rawBody,
    }
    const { data, errors } = await execute(route.operation, route.variables(rest), caller)
    if (errors?.[0]) throw failureOf(errors[0])
    const response = route.respond(data, rest)
    return { ...response, headers: { ...response.headers, ...rateHeaders } }
  }

  return async (request, response) => {
    const caller = callerOf(request)
    let place: Place | undefined
    try {
      requireValidSignIn(caller)
      place = room.enter()
      send(response, await answer(request, caller, place))
    } catch (error) {
      const failure = failureOf(error)
      if (isUnreported(failure)) onInternalError(error, caller.requestId)
      const refusal = failureResponse(
        failure,
        pathOf(request),
        caller.requestId,
        route.failure?.body,
      )
      const rateHeaders = failure instanceof RateLimited ? failure.headers : {}
      send(response, { ...refusal, headers: { ...refusal.headers, ...rateHeaders } })
    } finally {
      place?.leave()
    }
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: RestResponse): void {
  const text = Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': text.length,
    ...headers,
  })
  response.end(text)
}

/** Express takes its own path off `url`. */
const pathOf = (request: IncomingMessage & { originalUrl?: string }): string =>
  request.originalUrl ?? request.url ?? ''

const tooLarge = ({ bodyBytes }: IngestionLimits) =>
  bodyTooLarge(
    undefined,
    `The request body is larger than ${bodyBytes} bytes, inflated (EVENTS_BODY_BYTES): send fewer events at a time`,
  )
