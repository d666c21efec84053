import type { ErrorRequestHandler } from 'express'
import { failureOf, failureResponse } from '../../rest-bridge/errors.ts'
import { callerOf } from './caller-of.ts'

/** Answers what was refused before the graph was asked, as a GraphQL response. */
export const graphqlFailure = answering((message, code, requestId) => ({
  errors: [{ message, extensions: { code, requestId } }],
}))

/** Answers what was refused before the REST bridge was asked, in its common shape. */
export const restFailure = answering()

function answering(
  bodyOf?: (message: string, code: string, requestId: string) => unknown,
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    // What was begun cannot be taken back: Express closes the connection.
    if (response.headersSent) return next(error)
    const failure = failureOf(error)
    const { requestId } = callerOf(request)
    const { status, body, headers } = failureResponse(
      failure,
      request.originalUrl,
      requestId,
      bodyOf && ((message) => bodyOf(message, failure.code, requestId)),
    )
    response.status(status).set(headers).json(body)
  }
}
