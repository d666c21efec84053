import type { ExecutionResult, GraphQLError } from 'graphql'
import { charactersIn, responseTooLarge } from '../../../formats/graphql/response-size.ts'
import type { Rest } from '../defer/parts.ts'
import { FederationError } from '../errors.ts'
import type { Json } from '../executor/own.ts'
import type { PlanRun } from '../executor/plan-run.ts'

type ClientHeaders = PlanRun['headers']

/** The response to an operation. Callers that share it must not change it. */
export class OperationResult implements ExecutionResult {
  declare readonly errors?: readonly GraphQLError[]
  declare readonly data?: Json | null
  #text: string | undefined
  /** Headers of the subgraphs, for the client. */
  readonly #headers: ClientHeaders | undefined

  /** Parts that are delivered later. */
  readonly #rest: Rest | undefined

  /** @param data undefined for an operation that did not run */
  constructor(
    errors: readonly GraphQLError[],
    data?: Json | null,
    headers?: ClientHeaders,
    rest?: Rest,
  ) {
    this.#headers = headers
    this.#rest = rest
    if (errors.length > 0) this.errors = errors
    if (data !== undefined) this.data = data
  }

  static tooLarge(maxResponse: number): OperationResult {
    return new OperationResult([new FederationError(...responseTooLarge(maxResponse))], null)
  }

  get rest(): Rest | undefined {
    return this.#rest
  }

  get headers(): Readonly<Record<string, string | string[]>> {
    return this.#headers ? Object.fromEntries(this.#headers) : {}
  }

  /** The response as JSON; written once for all who share it. */
  get text(): string {
    this.#text ??= JSON.stringify(this)
    return this.#text
  }
}

/**
 * True if a response has more characters than it may have: it would be written in one piece. What the subgraphs answered
 * says of most that they have not; only of the others, all values are counted. Errors were counted when they were made.
 */
export const isTooLarge = ({ room, characters }: PlanRun, data: unknown): boolean =>
  room < 0 || (characters > room && charactersIn(data, room) > room)
