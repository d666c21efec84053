import { GraphQLError } from 'graphql'

/** A failure whose message clients may read, with the code that they branch on. */
export class FederationError extends GraphQLError {
  readonly code: string

  constructor(code: string, message: string, { cause }: ErrorOptions = {}) {
    super(message, { extensions: { code } })
    this.code = code
    this.cause = cause
  }
}

/** An error of any part of the product or of graphql-js that is worded for clients: it has a code. */
export interface CodedError extends Error {
  extensions: { code: string }
}

/** Whether clients may read the message of an error. Others belong into the log. */
export const isCoded = (error: unknown): error is CodedError =>
  error instanceof Error && typeof (error as Partial<CodedError>).extensions?.code === 'string'
