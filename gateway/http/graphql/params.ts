import { parse } from 'node:querystring'
import { AppError } from '../../../formats/errors.ts'
import { isEmptyList } from '../../../formats/is-object.ts'
import { parseExact } from '../../../formats/json/json.ts'
import { type Caller, isStranger } from '../../../platform/access/caller.ts'
import { isObject, type Json } from '../../federation/index.ts'
import type { OperationRequest } from '../../operations/persisted-documents.ts'
import { type BodyLimit, readJson } from '../body/read.ts'
import type { HttpRequest } from '../http-message.ts'

/** Bytes of a request, or of a message over WebSocket, of callers who may do next to nothing: enough for a sign-in, and too little to be work. */
export const STRANGER_MAX_BYTES = 64 * 1024

/** Parameters of an operation, over either method. */
export interface GraphqlParams extends OperationRequest {
  variables?: Json | null
}

/** The parameters of a request, unchecked. @throws AppError for a body that cannot be read */
export const readParams = (request: HttpRequest, maxBytes: number): unknown =>
  request.method === 'GET'
    ? parse(request.url.slice(request.url.indexOf('?') + 1 || request.url.length))
    : readJson(request, bodyLimit(request.caller, maxBytes))

/** @param given what `readParams` read @throws AppError BAD_USER_INPUT */
export function checkedParams({ method }: HttpRequest, given: unknown): GraphqlParams {
  if (Array.isArray(given))
    throw new AppError(
      'BAD_USER_INPUT',
      'Batched operations are not supported; send one per request, at the same time if you like',
    )
  const params = !isObject(given) ? {} : method === 'GET' ? withoutEmpty(given) : given
  const { operationName } = params
  const isText = method === 'GET' && typeof params.variables === 'string'
  // A query string holds the variables as JSON.
  const sent = isText ? parsed(String(params.variables)) : params.variables
  const variables = isEmptyList(sent) ? null : sent
  if (operationName === '')
    throw new AppError('BAD_USER_INPUT', 'operationName: expected the name of an operation')
  if (operationName != null && typeof operationName !== 'string')
    throw new AppError('BAD_USER_INPUT', 'operationName: expected a text')
  if (variables != null && !isObject(variables))
    throw new AppError('BAD_USER_INPUT', 'variables: expected an object')
  return { ...params, operationName, variables }
}

/** In a query string, an empty parameter is none (GraphQL over HTTP, section GET). */
const withoutEmpty = (params: Json): Json =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''))

function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch (cause) {
    throw new AppError('BAD_USER_INPUT', 'variables: expected JSON', { cause })
  }
}

/** @param maxBytes for callers with any permission */
export function bodyLimit(caller: Caller, maxBytes: number): BodyLimit {
  if (!isStranger(caller) || maxBytes <= STRANGER_MAX_BYTES)
    return { bytes: maxBytes, exceeded: (actual) => tooLarge(actual, maxBytes) }
  return { bytes: STRANGER_MAX_BYTES, exceeded: () => SIGN_IN_FIRST }
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
