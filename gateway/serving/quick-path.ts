import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Gatherer } from '../../rest-bridge/gatherer.ts'
import { parseBounded } from '../../rest-bridge/json-body.ts'
import { isObject, type Json, type OperationResult } from '../federation/index.ts'
import type { ClientOperations } from '../operations/client-operations.ts'
import type { ContextOf } from './context-of.ts'
import { bodyBudget } from './graphql-request.ts'
import { type ReadAhead, readAhead } from './read-ahead.ts'

/** Media type that is answered, for what common clients accept. */
const ANSWERED: ReadonlyMap<string | undefined, string> = new Map([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/json, text/plain, */*', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
])
const CONTENT_TYPES: ReadonlySet<string | undefined> = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
])
const PLAIN_KEYS: ReadonlySet<string> = new Set(['query', 'variables', 'operationName'])

/**
 * Answers plain operations by POST without the router and Apollo Server, which take longer than most operations do.
 * Whatever is not plain goes on to them with the body that was read here, and what has errors with its result, so that
 * there is one place that says how a fault is told.
 * @param onward everything else
 */
export function createQuickPath(
  operations: ClientOperations,
  contextOf: ContextOf,
  onward: RequestListener,
): RequestListener {
  const maxBytes = operations.rules.limits.OPERATION_MAX_BYTES

  const takes = (request: IncomingMessage): boolean => {
    if (!isPlain(request)) return false
    const { caller } = contextOf(request)
    return !caller.refusal && announced(request) <= bodyBudget(caller, maxBytes).bytes
  }

  const isPlain = ({ method, url, headers }: IncomingMessage): boolean =>
    method === 'POST' &&
    url === '/graphql' &&
    CONTENT_TYPES.has(headers['content-type']) &&
    ANSWERED.has(headers.accept) &&
    headers['content-encoding'] === undefined &&
    Number(headers['content-length']) > 0

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    body: ReadAhead['body'],
  ) {
    const passOn = (made?: ReadAhead['result']) => {
      readAhead.set(request, { body, result: made })
      onward(request, response)
    }
    const params = 'json' in body ? plainParams(body.json) : null
    const operation = params && (await operations.prepareRequest(params, true))
    if (!operation || !('run' in operation) || operation.kind === 'subscription') return passOn()
    const made = operation.run(params.variables, contextOf(request))
    const result = await made.catch(() => null)
    if (!result || result.errors) passOn(made)
    else send(request, response, result)
  }

  return (request, response) => {
    if (!takes(request)) return onward(request, response)
    const chunks: Buffer[] = []
    const gatherer = new Gatherer((chunk) => chunks.push(chunk))
    request.on('data', (chunk: Buffer) => gatherer.add(chunk))
    request.on('end', () => {
      gatherer.end()
      void answer(request, response, read(chunks))
    })
    request.on('error', () => {}) // nobody is left to be told
  }
}

const announced = ({ headers }: IncomingMessage): number => Number(headers['content-length'])

/** A result that callers share is written once. */
function send(
  { headers }: IncomingMessage,
  response: ServerResponse,
  result: OperationResult,
): void {
  const text = `${result.text}\n`
  response.writeHead(200, {
    'Cache-Control': 'no-store',
    'Content-Type': `${ANSWERED.get(headers.accept)}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

function read(chunks: readonly Buffer[]): ReadAhead['body'] {
  const [first = Buffer.alloc(0)] = chunks
  try {
    return { json: parseBounded(chunks.length === 1 ? first : Buffer.concat(chunks)) }
  } catch (error) {
    return { error }
  }
}

/** The parameters of a request that consists of a document, variables and a name, and nothing else. */
function plainParams(json: unknown) {
  if (!isObject(json) || !Object.keys(json).every((key) => PLAIN_KEYS.has(key))) return null
  const { query, operationName } = json
  const variables = json.variables ?? {}
  if (typeof query !== 'string' || query === '' || !isObject(variables)) return null
  if (operationName != null && typeof operationName !== 'string') return null
  return { query, operationName, variables: variables as Json }
}
