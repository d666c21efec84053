import type { IncomingMessage, ServerResponse } from 'node:http'
import { rounded } from '../schema/exact-number.ts'
import type { BridgeDeps } from './deps.ts'
import { namesTag } from './entity-tag.ts'
import { failureOf } from './errors.ts'
import { bodyTooLarge, readJson, readJsonOrYaml } from './json-body.ts'
import { checkQuery } from './parameters.ts'
import type { Address, RestRequest, Route } from './route.ts'
import { type Rendered, render, sendRendered } from './send.ts'

/** Runs the operation of a route for one request. @throws AppError that says what is wrong with it, and what `execute` throws */
export async function serveRoute<Caller>(
  route: Route,
  address: Address,
  request: IncomingMessage,
  response: ServerResponse,
  { admit, callerOf, execute, readYaml }: BridgeDeps<Caller>,
): Promise<void> {
  const caller = callerOf(request)
  admit(route.operation, caller)
  checkQuery(route, address)
  const rest: RestRequest = {
    ...address,
    // No route reads the only header that comes as a list.
    headers: request.headers as Record<string, string>,
    body: await bodyOf(route, request, readYaml),
  }
  const { data, errors } = await execute(route.operation, route.variables(rest), caller)
  if (errors?.[0]) {
    route.judge?.(data, rest)
    throw failureOf(errors[0])
  }
  const answer = rendered(route, data, address, request.url)
  sendRendered(response, isKnown(route, answer, rest) ? unchanged(answer) : answer)
}

/** Whether the client has it already. */
const isKnown = ({ method }: Route, { headers: { ETag } }: Rendered, { headers }: RestRequest) =>
  method === 'get' && typeof ETag === 'string' && namesTag(headers['if-none-match'], ETag)

const unchanged = ({ headers: { ETag = '' } }: Rendered): Rendered => ({
  status: 304,
  headers: { ETag },
  text: undefined,
})

async function bodyOf(
  { bodyLimit, yaml }: Route,
  request: IncomingMessage,
  readYaml: (text: string) => Promise<unknown>,
): Promise<unknown> {
  if (bodyLimit === undefined) return undefined
  const tooLarge = (actual: string) =>
    bodyTooLarge(undefined, `The request body has ${actual}; this path accepts ${bodyLimit}`)
  const body = yaml
    ? await readJsonOrYaml(request, bodyLimit, tooLarge, readYaml)
    : await readJson(request, bodyLimit, tooLarge)
  return rounded(body) // only events keep exact numbers, and they are read elsewhere
}

const RENDERED = Symbol('rendered')

/** What the last route that was asked for this data made of it, and under which address. */
interface Kept extends Record<string, unknown> {
  [RENDERED]?: { route: Route; url: string | undefined; answer: Rendered }
}

/** Callers whose requests shared a run have the same data; where they asked for the same, the answer is made once. */
function rendered(
  route: Route,
  data: Kept | null | undefined,
  address: Address,
  url: string | undefined,
): Rendered {
  const kept = data?.[RENDERED]
  if (kept?.route === route && kept.url === url) return kept.answer
  const answer = render(route.respond(data, address))
  if (data) data[RENDERED] = { route, url, answer }
  return answer
}
