import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../../schema/errors.ts'
import type { BridgeDeps } from '../deps.ts'
import { failureOf } from '../errors.ts'
import { bodyTooLarge, requirePlainJson } from '../json-body.ts'
import { crossOrigin, requireOwnPage } from '../origins.ts'
import { tidyUrl } from '../paths.ts'
import { readPieces } from '../read-body.ts'
import { refuse } from '../refuse.ts'
import type { RestResponse, Route } from '../route.ts'
import { send } from '../send.ts'
import { EventsParser } from './events-parser.ts'
import type { IngestionLimits } from './limits.ts'
import { type IngestionOutcome, MERGED_BYTES, MergedOperations } from './merged-operations.ts'
import { digestOfPart, inParts, keyOfPart } from './parts.ts'
import { type RateHeaders, RateLimit, RateLimited } from './rate-limit.ts'
import { type Place, WaitingRoom } from './waiting-room.ts'

export type Ingestion = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Whether a request sends events, however carelessly its address is joined. @param path where they are taken */
export const takesIngestion =
  (path: string) =>
  ({ method, url = '' }: IncomingMessage): boolean =>
    method === 'POST' && (url === path || isSpelling(url, path))

const isSpelling = (url: string, path: string): boolean =>
  tidyUrl(url).split('?', 1)[0]?.replace(/\/$/, '') === path

/**
 * Serves the route that takes events, on plain `node:http`: what a framework does for a request costs several times as
 * much as storing one event. It refuses strangers, and what is too much, before reading or parsing anything.
 */
export function createIngestion<Caller>(
  route: Route,
  limits: IngestionLimits,
  deps: BridgeDeps<Caller>,
  room = new WaitingRoom(limits),
): Ingestion {
  const share = crossOrigin(deps.corsOrigins)
  const rate = limits.perMinute === null ? null : new RateLimit(limits.perMinute)

  const ingest = (variables: Record<string, unknown>, caller: Caller) =>
    deps.execute(route.operation, variables, caller) as Promise<IngestionOutcome>
  const merged = new MergedOperations<Caller>(
    (events, caller) => ingest({ input: { events } }, caller),
    deps.callerKey,
  )

  async function answer(
    request: IncomingMessage,
    caller: ReturnType<typeof deps.callerOf>,
    place: Place,
  ): Promise<RestResponse> {
    const { headers } = request
    requirePlainJson(headers['content-type'])
    if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge(limits)
    const sender = rate ? (caller.user ?? deps.addressOf(request)) : ''
    await rate?.assertAny(sender)
    const key = headers['idempotency-key']
    const digest = key === undefined ? null : createHash('sha256')
    const parser = new EventsParser(limits.callEvents)
    let bytes = 0
    await readPieces(request, (piece) => {
      bytes += piece.length
      if (bytes > limits.bodyBytes) throw tooLarge(limits)
      place.addBytes(piece.length)
      digest?.update(piece)
      parser.add(piece)
    })
    const parts = parser.finish()
    const [events = []] = parts
    const count = parts.reduce((sum, { length }) => sum + length, 0)
    place.addEvents(count)
    const rateHeaders: RateHeaders = (await rate?.take(sender, count)) ?? {}
    const rest = {
      path: pathOf(request),
      params: {},
      query: {},
      repeated: {},
      headers: headers as Record<string, string>,
      body: events,
    }
    const bodyDigest = digest?.digest('base64url')
    const isPlain = key === undefined && count > 0
    const { data, errors } =
      isPlain && bytes <= MERGED_BYTES
        ? await merged.ingest(events, caller)
        : await inParts(parts, (part, range) => {
            const named = key && { 'idempotency-key': keyOfPart(String(key), range) }
            const variables = {
              ...{ ...rest, body: part, headers: { ...rest.headers, ...named } },
              ...(bodyDigest && { bodyDigest: digestOfPart(bodyDigest, range) }),
            }
            return ingest(route.variables(variables), caller)
          })
    if (errors?.[0]) throw asRepeatable(failureOf(errors[0]))
    const response = route.respond(data, rest)
    return { ...response, headers: { ...response.headers, ...rateHeaders } }
  }

  return async (request, response) => {
    const caller = deps.callerOf(request)
    let place: Place | undefined
    try {
      if (deps.corsOrigins.length > 0) share(request, response, () => {})
      requireOwnPage(request, deps.corsOrigins)
      deps.admit(route.operation, caller)
      place = room.enter()
      send(response, await answer(request, caller, place))
    } catch (error) {
      const headers = error instanceof RateLimited ? error.headers : {}
      refuse(error, request, response, deps, { bodyOf: route.failure?.body, headers })
    } finally {
      place?.leave()
    }
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

/** Unlike other changes, events in doubt may be sent again. */
const asRepeatable = (failure: AppError): AppError =>
  failure.code === 'DOWNSTREAM_SERVICE_ERROR'
    ? new AppError(
        'OVERLOADED',
        'It is unknown whether these events were stored. Send the call again: with the Idempotency-Key that it had, nothing is counted twice',
        { cause: failure },
      )
    : failure

const tooLarge = ({ bodyBytes }: IngestionLimits) =>
  bodyTooLarge(
    undefined,
    `The request body is larger than ${bodyBytes} bytes, inflated (EVENTS_BODY_BYTES): send fewer events at a time`,
  )
