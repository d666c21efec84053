import { AppError } from '../../formats/errors.ts'

/** A fault in a query (over REST: the parameter q), with the position of the character (counted from 1) where it was found. */
export const syntaxError = (message: string, offset: number): AppError =>
  new AppError('BAD_USER_INPUT', `The query (q) is wrong at character ${offset + 1}: ${message}`)
