import type { ExecutionResult, GraphQLError } from 'graphql'
import { copied, type Json } from '../executor/own.ts'
import { readValue, textOf } from '../executor/verbatim/verbatim.ts'

/** The response to an operation. Callers that share it must not change it. */
export class OperationResult implements ExecutionResult {
  declare readonly errors?: readonly GraphQLError[]
  declare readonly data?: Json | null
  readonly #gathered: Json | null | undefined
  #read: Json | null | undefined
  #text: string | undefined

  /** One function for all results: each of its own would give each result a hidden class of its own. */
  static readonly #READ_LATER: PropertyDescriptor & ThisType<OperationResult> = {
    enumerable: true,
    get() {
      this.#read ??= copied(this.#gathered, readValue) as Json | null
      return this.#read
    },
  }

  /** @param data undefined for an operation that did not run @param hasTexts whether some of it was not read yet */
  constructor(errors: readonly GraphQLError[], data?: Json | null, hasTexts = false) {
    this.#gathered = data
    if (errors.length > 0) this.errors = errors
    if (hasTexts) Object.defineProperty(this, 'data', OperationResult.#READ_LATER)
    else if (data !== undefined) this.data = data
  }

  /** The response as JSON; written once for all who share it. */
  get text(): string {
    this.#text ??= textOf({ errors: this.errors, data: this.#gathered })
    return this.#text
  }
}
