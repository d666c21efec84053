import { GraphQLError } from 'graphql'

/** A failure whose message clients may read, with the code that they branch on. */
export class FederationError extends GraphQLError {
  readonly code: string

  /** @param retryAfterSeconds when to try again what passes by itself */
  constructor(
    code: string,
    message: string,
    { cause, retryAfterSeconds }: ErrorOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(message, { extensions: codedExtensions(code, retryAfterSeconds) })
    this.code = code
    this.cause = cause
  }
}

/** What clients read of a failure besides its message. @param retryAfterSeconds as a subgraph sent it */
export const codedExtensions = (code: string, retryAfterSeconds?: unknown) => ({
  code,
  ...(typeof retryAfterSeconds === 'number' && retryAfterSeconds > 0
    ? { retryAfterSeconds: Math.ceil(retryAfterSeconds) }
    : {}),
})

/** An error of any part of the product or of graphql-js that is worded for clients: it has a code. */
export interface CodedError extends Error {
  extensions: { code: string }
}

/** Whether clients may read the message of an error. Others belong into the log. */
export const isCoded = (error: unknown): error is CodedError =>
  error instanceof Error && typeof (error as Partial<CodedError>).extensions?.code === 'string'
