import type { Request, RequestHandler } from 'express'
import { readJson } from '../../rest-bridge/json-body.ts'
import { AppError } from '../../schema/errors.ts'
import type { ClientOperations } from '../operations/client-operations.ts'
import type { Json } from '../supergraph/executor/own.ts'
import { readAhead } from './read-ahead.ts'

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST'])

/** Other methods are refused in our own words, and as a GraphQL response. */
export const requireMethod: RequestHandler = ({ method }, response, next) => {
  if (!METHODS.has(method)) {
    response.set('Allow', [...METHODS].join(', '))
    throw new AppError('METHOD_NOT_ALLOWED', 'GraphQL is served by GET and POST')
  }
  next()
}

/** Queries by GET have no body. */
export const takeJsonBody =
  (maxBytes: number): RequestHandler =>
  async (request, _response, next) => {
    const ahead = readAhead.get(request)?.body
    if (ahead && 'error' in ahead) throw ahead.error
    if (ahead) request.body = ahead.json
    else if (request.method === 'GET') request.body = {}
    else request.body = await readJson(request, maxBytes, (actual) => tooLarge(actual, maxBytes))
    next()
  }

const tooLarge = (actual: string, maxBytes: number) =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The request body has ${actual}; OPERATION_MAX_BYTES allows ${maxBytes}. Send less at a time, or have the operator raise the limit.`,
  )

/**
 * What names no operation, or one over a limit, is refused before anything is done about it. Whichever way a request names
 * its document, whoever comes next gets the document.
 */
export const requireOperation =
  (operations: ClientOperations): RequestHandler =>
  (request, response, next) => {
    const params = (request.method === 'GET' ? request.query : request.body) ?? {}
    if (Array.isArray(params))
      throw new AppError(
        'BAD_USER_INPUT',
        'Operations are not taken in batches: send one a request, at the same time if you like',
      )
    if (params.operationName === '')
      throw new AppError('BAD_USER_INPUT', 'operationName: expected the name of an operation')
    const text = operations.textOf(params)
    if (request.method === 'GET' && isMutation(operations, { ...params, query: text })) {
      response.set('Allow', 'POST')
      throw new AppError('METHOD_NOT_ALLOWED', 'Mutations are taken by POST')
    }
    if (text !== params.query || params.extensions) replaceDocument(request, text)
    next()
  }

/** A faulty document is told as such by whoever comes next. */
function isMutation(operations: ClientOperations, { query, operationName }: Json): boolean {
  const operation = operations.prepare(String(query), operationName as string | undefined)
  return 'kind' in operation && operation.kind === 'mutation'
}

function replaceDocument(request: Request, query: string): void {
  if (request.method === 'POST') {
    const { extensions: _, ...others } = request.body
    request.body = { ...others, query }
    return
  }
  const params = new URLSearchParams(request.url.split('?')[1])
  params.set('query', query)
  params.delete('extensions')
  request.url = `/?${params}`
}
