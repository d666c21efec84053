import type { Request, RequestHandler } from 'express'
import { getOperationAST } from 'graphql'
import { readJson } from '../../rest-bridge/json-body.ts'
import { AppError } from '../../schema/errors.ts'
import { parseExact } from '../../schema/exact-number.ts'
import type { Caller } from '../../subgraphs/shared/caller.ts'
import { conditionalStreams, isObject, type Json } from '../federation/index.ts'
import { type ClientOperations, parsedDocument } from '../operations/client-operations.ts'
import { callerOf } from './caller-of.ts'
import { readAhead } from './read-ahead.ts'

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST'])
const ALLOW = 'GET, POST, OPTIONS'

/** Also for a browser that asks ahead of a request of another page: the headers for it have been set before. */
export const answerOptions: RequestHandler = (_request, response) => {
  response.set('Allow', ALLOW).status(204).end()
}

/** Other methods are refused in our own words, and as a GraphQL response. */
export const requireMethod: RequestHandler = ({ method }, response, next) => {
  if (!METHODS.has(method)) {
    response.set('Allow', ALLOW)
    throw new AppError('METHOD_NOT_ALLOWED', 'GraphQL is served by GET and POST')
  }
  next()
}

/** Bytes of a request, or of a message over WebSocket, of callers who may do next to nothing: enough for a sign-in, and too little to be work. */
export const STRANGER_MAX_BYTES = 64 * 1024

/** How many bytes a body may have, and what is said to one that has more. */
export interface BodyBudget {
  bytes: number
  exceeded(actual: string): AppError
}

/** @param maxBytes for callers with any permission */
export function bodyBudget({ permissions }: Caller, maxBytes: number): BodyBudget {
  if (permissions.length > 0 || maxBytes <= STRANGER_MAX_BYTES)
    return { bytes: maxBytes, exceeded: (actual) => tooLarge(actual, maxBytes) }
  return { bytes: STRANGER_MAX_BYTES, exceeded: () => SIGN_IN_FIRST }
}

/** Queries by GET have no body. */
export const takeJsonBody =
  (maxBytes: number): RequestHandler =>
  async (request, _response, next) => {
    const ahead = readAhead.get(request)?.body
    if (ahead && 'error' in ahead) throw ahead.error
    if (ahead) request.body = ahead.json
    else if (request.method === 'GET') request.body = {}
    else {
      const { bytes, exceeded } = bodyBudget(callerOf(request), maxBytes)
      request.body = await readJson(request, bytes, exceeded)
    }
    next()
  }

const SIGN_IN_FIRST = new AppError(
  'UNAUTHENTICATED',
  `Sign in: without permissions a request has at most ${STRANGER_MAX_BYTES} bytes (STRANGER_MAX_BYTES)`,
)

const tooLarge = (actual: string, maxBytes: number) =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The request body has ${actual}; OPERATION_MAX_BYTES allows ${maxBytes}. Send less at a time, events by POST /v1/events, or have the operator raise the limit.`,
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
    operationNameOf(params)
    variablesOf(request)
    const text = operations.textOf(params)
    refuseConditionalStreams(text)
    if (request.method === 'GET' && isMutation({ ...params, query: text })) {
      response.set('Allow', 'POST')
      throw new AppError('METHOD_NOT_ALLOWED', 'Mutations are taken by POST')
    }
    if (text !== params.query || params.extensions) replaceDocument(request, text)
    next()
  }

/** Apollo Server has no answer to them: its validation throws. What cannot be parsed is for it to tell. */
function refuseConditionalStreams(text: string): void {
  const document = text.includes('subscription') ? parsedDocument(text) : undefined
  const [fault] = document ? conditionalStreams(document) : []
  if (fault) throw new AppError('GRAPHQL_VALIDATION_FAILED', fault.message)
}

/** What names an operation and says with what to run it. */
export const paramsOf = ({ method, query, body }: Request): Json => {
  const given: unknown = method === 'GET' ? query : body
  return isObject(given) ? given : {}
}

export function operationNameOf({ operationName }: Json): string | null | undefined {
  if (operationName == null || typeof operationName === 'string') return operationName
  throw new AppError('BAD_USER_INPUT', 'operationName: expected a text')
}

/** A query string holds them as JSON. */
export function variablesOf(request: Request): Json {
  const { variables: given } = paramsOf(request)
  const isText = request.method === 'GET' && typeof given === 'string'
  const variables = isText ? parsed(given) : (given ?? {})
  if (!isObject(variables)) throw new AppError('BAD_USER_INPUT', 'variables: expected an object')
  return variables
}

function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch (cause) {
    throw new AppError('BAD_USER_INPUT', 'variables: expected JSON', { cause })
  }
}

/** A faulty document is told as such by whoever comes next. */
function isMutation({ query, operationName }: Json): boolean {
  const document = parsedDocument(String(query))
  const operation = document && getOperationAST(document, operationName as string | undefined)
  return operation?.operation === 'mutation'
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
