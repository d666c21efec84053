import { GraphQLError } from 'graphql'
import { OF_MARKS, OF_OTHERS } from '../../formats/json/json.ts'

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

/** Extensions of a failure for clients. @param retryAfterSeconds as a subgraph sent it */
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

/** True if clients may read the message of an error. Others belong into the log. */
export const isCoded = (error: unknown): error is CodedError =>
  error instanceof Error && typeof (error as Partial<CodedError>).extensions?.code === 'string'

/** The errors of a response, as many as fit into it. */
export interface ErrorList {
  errors: GraphQLError[]
  /** Characters that the response may still have; below 0 it is refused, and takes no more errors. */
  room: number
}

/** Adds an error, unless the response has no room for it. @param path copied */
export function addError(
  list: ErrorList,
  message: string,
  path: Iterable<string | number>,
  extensions: CodedError['extensions'],
): void {
  if (list.room < 0) return
  const at = [...path]
  list.room -= OF_ERROR + message.length + extensions.code.length
  for (const step of at) list.room -= typeof step === 'string' ? step.length + OF_MARKS : OF_OTHERS
  if (list.room >= 0) list.errors.push(new PlacedError(message, at, extensions).asGraphQLError)
}

/** Names, marks, and the id of the request. */
const OF_ERROR = 100

/** As a GraphQLError, but without its stack and descriptors: a response may have a hundred thousand of them. */
class PlacedError {
  readonly message: string
  readonly path: readonly (string | number)[] | undefined
  readonly extensions: CodedError['extensions']

  constructor(
    message: string,
    path: readonly (string | number)[],
    extensions: CodedError['extensions'],
  ) {
    this.message = message
    this.path = path.length > 0 ? path : undefined
    this.extensions = extensions
  }

  /** All that a GraphQLError has besides is inherited from it. */
  get asGraphQLError(): GraphQLError {
    return this as unknown as GraphQLError
  }

  static {
    Object.setPrototypeOf(PlacedError.prototype, GraphQLError.prototype)
  }
}
