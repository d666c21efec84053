import type { RequestHandler } from 'express'
import { requireJson, requireLength } from '../../rest-bridge/json-body.ts'
import { AppError } from '../../schema/errors.ts'
import { isTooNested, TOO_NESTED } from '../supergraph/nesting.ts'

/** Bytes; a document with its variables. */
export const BODY_LIMIT = 10 * 1024 * 1024

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
export const requireJsonBody: RequestHandler = ({ method, headers }, _response, next) => {
  if (method === 'POST') {
    requireJson(headers['content-type'])
    requireLength(headers['content-length'], BODY_LIMIT)
  }
  next()
}

/** What names no operation is refused before Apollo Server sees it, whose answer lacks the request id. */
export const requireOperation: RequestHandler = (request, _response, next) => {
  const { query, extensions } = (request.method === 'GET' ? request.query : request.body) ?? {}
  if (query === undefined && extensions) return next() // persisted: only its hash is sent
  if (typeof query !== 'string' || query === '')
    throw new AppError('BAD_USER_INPUT', 'query: expected a text')
  if (isTooNested(query)) throw new AppError('BAD_USER_INPUT', TOO_NESTED)
  next()
}
