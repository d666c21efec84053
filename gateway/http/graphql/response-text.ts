import type { GraphQLFormattedError } from 'graphql'
import { GraphQLError } from 'graphql'
import { AppError } from '../../../formats/errors.ts'
import type { LiveEvent } from '../../federation/index.ts'

/** Names the request that an error belongs to. */
export const withRequestId = (
  error: GraphQLFormattedError,
  requestId: string,
): GraphQLFormattedError => ({
  ...error,
  extensions: { ...error.extensions, requestId },
})

/** Errors come as instances, or as what Apollo or a subgraph made of them. */
export const plain = (error: GraphQLError | GraphQLFormattedError): GraphQLFormattedError =>
  error instanceof GraphQLError ? error.toJSON() : error

/** Error that a client may read at the end of its stream. A fault of ours shows nothing of itself. */
export function failureOfStream(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error
  const { extensions, message } =
    error instanceof AppError
      ? error
      : new AppError('INTERNAL_SERVER_ERROR', 'Internal server error')
  return new GraphQLError(message, { extensions })
}

/** An event as JSON: one text for all subscribers, except for errors, which name the subscriber's request. */
export const textFor = ({ result, text }: Pick<LiveEvent, 'result' | 'text'>, requestId: string) =>
  result.errors
    ? JSON.stringify({
        ...result,
        errors: result.errors.map((error) => withRequestId(plain(error), requestId)),
      })
    : text
