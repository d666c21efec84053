import { parse } from 'node:querystring'
import type { ExecutionResult } from 'graphql'
import { AppError } from '../../../formats/errors.ts'
import { failureOf } from '../../../formats/failure.ts'
import { asDoubles } from '../../../formats/json/json.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import { inTurns } from '../../../platform/async/turns.ts'
import { namesTag } from '../../../rest-bridge/entity-tag.ts'
import { variablesOf } from '../../../rest-bridge/parameters.ts'
import type { Address, RestRequest, RestResponse, Route } from '../../../rest-bridge/route.ts'
import { type BodyLimit, readJson, readJsonOrYaml, readText } from '../body/read.ts'
import { type Coding, codingFor, returnsSecret, tagOf } from '../compression.ts'
import {
  bytesResponse,
  type HttpRequest,
  jsonResponse,
  type TextResponse,
  textResponse,
} from '../http-message.ts'
import { type Destination, type Endpoint, type PathParameters, tidyUrl } from '../router.ts'
import { type BulkOptions, bulkIntake } from './bulk.ts'
import type { PreparedRoute } from './prepared-routes.ts'
import { ReceiverEndpoint, type ReceiverOptions } from './receive.ts'

export interface RestOptions extends BulkOptions, ReceiverOptions {
  /** Root of the paths; without a slash at the end. */
  root: string
  routes: readonly PreparedRoute[]
  /** Parses YAML. It can take long, so nothing else may wait for it. @throws AppError BAD_USER_INPUT, OVERLOADED */
  readYaml(text: string): Promise<unknown>
}

/** The documented REST paths. All rows are served in one way; what a row declares of its body adds steps to it. */
export function restDestinations(options: RestOptions): Destination[] {
  const byPath = Map.groupBy(options.routes, ({ route }) => route.path)
  return [...byPath].flatMap(([path, rows]) => {
    const endpoints = Object.fromEntries(
      rows.map((row) => [
        row.route.method.toUpperCase(),
        row.route.receiver
          ? new ReceiverEndpoint(row, row.route.receiver, options, addressOf)
          : endpoint(row, options),
      ]),
    )
    // Senders append what they will to the address of a stored receiver.
    const isOpen = rows.some(({ route }) => route.receiver === 'STORED')
    const paths = isOpen ? [path, `${path}/*`] : [path]
    const isForWebhooks = rows.some(({ route }) => route.receiver !== undefined)
    return paths.flatMap((each) =>
      addressesOf(each, options.root).map((address) => ({
        path: address,
        endpoints,
        isForWebhooks,
      })),
    )
  })
}

/** Shipped clients of the event interface know a host name and no base path: `/v1/…` stands at the root as well. */
const addressesOf = (path: string, root: string): string[] =>
  path.startsWith('/v1/') && root !== '' ? [root + path, path] : [root + path]

function endpoint(row: PreparedRoute, options: RestOptions): Endpoint {
  const { route, rules } = row
  const { bulk, failure } = route
  const intake = bulk && bulkIntake(row, bulk, options)
  const responses = new LastResponse(route)
  const isPlain = returnsSecret(route.operation)
  return {
    isUnlimited: intake !== undefined,
    failureBody: failure && (({ message }) => failure.body(message)),
    async handle(request, params) {
      const { caller } = request
      for (const rule of rules) requirePermission(caller, rule)
      const call = intake?.(request)
      try {
        const rest: RestRequest = {
          ...addressOf(request, params),
          // No route reads the only header that comes as a list.
          headers: request.headers as Record<string, string>,
          ...(call ? await call.read() : { body: await bodyOf(route, request, options) }),
        }
        const result = await (call?.run(rest) ?? row.run(variablesOf(route, rest), { caller }))
        const response = await responses.of(result, request.url, rest)
        const same = unchanged(route, response.headers.ETag, rest)
        if (same) return textResponse(tagged(same, codingFor(request.headers, response)))
        if (isPlain) return { ...response, isPlain }
        return call ? { ...response, headers: { ...response.headers, ...call.headers } } : response
      } finally {
        call?.leave()
      }
    },
  }
}

/** Gives a response without changes the tag that the whole response would have. */
const tagged = (same: RestResponse, coding: Coding | undefined): RestResponse => ({
  ...same,
  headers: { ...same.headers, ETag: tagOf(String(same.headers?.ETag), coding) },
})

function addressOf({ url }: HttpRequest, params: PathParameters = () => ({})): Address {
  const tidy = tidyUrl(url)
  const at = tidy.indexOf('?')
  const path = at === -1 ? tidy : tidy.slice(0, at)
  // Browsers keep what stands behind `#` to themselves.
  const [search = ''] = at === -1 ? [] : tidy.slice(at + 1).split('#', 1)
  const query: Record<string, string> = Object.create(null)
  const repeated: Record<string, string[]> = Object.create(null)
  for (const [name, given] of Object.entries(parse(search))) {
    const values = [given ?? []].flat()
    repeated[name] = values
    query[name] = values.findLast((value) => value !== '') ?? ''
  }
  return { path: path.replace(/\/$/, ''), params: params(), query, repeated }
}

async function bodyOf(
  { bodyLimit, yaml, exactNumbers, textBody }: Route,
  request: HttpRequest,
  { readYaml, limits }: RestOptions,
): Promise<unknown> {
  if (bodyLimit === undefined) return undefined
  const bytes = typeof bodyLimit === 'number' ? bodyLimit : limits.importBytes
  const setting = typeof bodyLimit === 'number' ? '' : ` (${bodyLimit}): send less at a time`
  const limit: BodyLimit = { bytes, exceeded: (actual) => tooLarge(actual, `${bytes}${setting}`) }
  if (textBody) return readText(request, limit)
  const body = await (yaml ? readJsonOrYaml(request, limit, readYaml) : readJson(request, limit))
  return exactNumbers ? body : asDoubles(body)
}

const tooLarge = (actual: string, accepted: string) =>
  new AppError('PAYLOAD_TOO_LARGE', `The request body has ${actual}; this path accepts ${accepted}`)

/** Callers who share a run get its data one after the other: where they ask the same URL, the response is made once. */
class LastResponse {
  #last: { data: unknown; url: string; response: Awaitable<TextResponse> } | undefined

  constructor(private readonly route: Route) {}

  /** @throws what `responseOf` throws */
  of(result: ExecutionResult<unknown>, url: string, address: Address): Awaitable<TextResponse> {
    const { data, errors } = result
    const last = this.#last
    if (last?.data === data && last?.url === url && !errors) return last.response
    const response = made(responseOf(this.route, result, address))
    // Also while it is being made: the others wait for it.
    if (data) this.#last = { data, url, response }
    return response
  }
}

/** Turns a result into a response, which follows from data and address alone. @throws AppError for a failure */
function responseOf(
  route: Route,
  { data, errors }: ExecutionResult<unknown>,
  request: Address,
): RestResponse {
  if (errors?.[0]) {
    const failure = failureOf(errors[0])
    throw route.failureOf?.(failure, request, data) ?? failure
  }
  return route.respond(data, request)
}

/** The answer to a client that has it already (RFC 9110, 15.4.5); undefined for any other. */
function unchanged(
  { method }: Route,
  ETag: unknown,
  { headers }: RestRequest,
): RestResponse | undefined {
  const isKnown =
    method === 'get' && typeof ETag === 'string' && namesTag(headers['if-none-match'], ETag)
  return isKnown ? { status: 304, body: undefined, headers: { ETag } } : undefined
}

type Awaitable<Value> = Value | Promise<Value>

function made(answer: RestResponse): Awaitable<TextResponse> {
  const { pieces, bytes, mediaType = 'application/octet-stream' } = answer
  if (pieces) return inTurns(pieces).then((json) => jsonResponse(answer, json))
  return bytes ? bytesResponse(answer, mediaType, bytes) : textResponse(answer)
}
