import type { ErrorRequestHandler } from 'express'
import { failureOf, failureResponse } from '../../rest-bridge/errors.ts'
import type { AppError } from '../../schema/errors.ts'
import { callerOf } from './caller-of.ts'

/**
 * Answers what was refused before the graph was asked, as a GraphQL response.
 * @param challenge how to sign in, as `WWW-Authenticate` says it
 */
export const graphqlFailure = (challenge: string) =>
  answering(challenge, ({ message, extensions }, requestId) => ({
    errors: [{ message, extensions: { ...extensions, requestId } }],
  }))

/** Answers what was refused before the REST bridge was asked, in its common shape. */
export const restFailure = (challenge: string) => answering(challenge)

function answering(
  challenge: string,
  graphqlBody?: (failure: AppError, requestId: string) => unknown,
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    // What was begun cannot be taken back: Express closes the connection.
    if (response.headersSent) return next(error)
    const failure = failureOf(error)
    const { requestId } = callerOf(request)
    const { status, body, headers } = failureResponse(failure, {
      path: request.originalUrl,
      requestId,
      challenge,
      bodyOf: graphqlBody && (() => graphqlBody(failure, requestId)),
    })
    response.status(status).set(headers).json(body)
  }
}
