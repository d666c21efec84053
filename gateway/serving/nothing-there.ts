import type { RequestHandler } from 'express'
import { failureResponse } from '../../rest-bridge/errors.ts'
import { AppError } from '../../schema/errors.ts'
import { callerOf } from './caller-of.ts'

/** Ends a front without REST. */
export const nothingThere: RequestHandler = (request, response) => {
  const path = request.originalUrl
  const failure = new AppError('NOT_FOUND', `There is nothing at ${path.split('?', 1)[0]}`)
  const { status, body } = failureResponse(failure, path, callerOf(request).requestId)
  response.status(status).json(body)
}
