import type { RequestHandler } from 'express'
import { AppError } from '../../schema/errors.ts'

/** Ends a front without REST. */
export const nothingThere: RequestHandler = ({ originalUrl }) => {
  throw new AppError('NOT_FOUND', `There is nothing at ${originalUrl.split('?', 1)[0]}`)
}
