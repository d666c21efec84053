import { GraphQLError } from 'graphql'
import { AppError } from '../../schema/errors.ts'
import type { Logger } from './logger.ts'

/**
 * What a client may see of an error. Ours and those of GraphQL itself pass with their code; anything else is a
 * fault of the product: it is logged once with the request id and answered without detail.
 */
export function maskError(error: GraphQLError, requestId: string, log: Logger): GraphQLError {
  const cause = error.originalError ?? error
  if (cause instanceof AppError || cause instanceof GraphQLError) return error
  log.error({ err: cause, requestId, path: error.path }, 'A resolver failed')
  return new GraphQLError('Internal server error', {
    path: error.path,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  })
}
