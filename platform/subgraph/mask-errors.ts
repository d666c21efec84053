import { GraphQLError } from 'graphql'
import { AppError, ERRORS, failureExtensions } from '../../formats/errors.ts'
import { failureOf } from '../database/database-error.ts'
import type { Logger } from '../process/logger.ts'

/**
 * Error as a client may see it. Ours and those of GraphQL itself pass with their code, and a database that is away
 * is OVERLOADED. Anything else is a fault of the product: the log gets it, with the request id, and the client gets a
 * message without detail.
 */
export function maskError(error: GraphQLError, requestId: string, log: Logger): GraphQLError {
  const cause = error.originalError ?? error
  const isForClients = cause instanceof AppError || cause instanceof GraphQLError
  const failure = isForClients ? blamedOf(cause) : cause
  const isAway = failure instanceof Error && failureOf(failure) === 'transient'
  if (isAway)
    log.warn(
      { reason: failure.message, requestId, path: error.path },
      'The database did not answer',
    )
  if (isForClients) return error
  if (isAway)
    return new GraphQLError('The database does not answer at the moment; try again', {
      path: error.path,
      extensions: failureExtensions('OVERLOADED'),
    })
  log.error({ err: cause, requestId, path: error.path }, 'A resolver failed')
  return new GraphQLError('Internal server error', {
    path: error.path,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  })
}

/** Why a failure of ours happened. The cause of a 4xx, such as a host that is away, is the client's. */
const blamedOf = (error: Error): unknown =>
  error instanceof AppError && ERRORS[error.code] >= 500 ? error.cause : undefined
