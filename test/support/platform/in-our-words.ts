import type { ExecutionResult } from 'graphql'
import { inputError } from '../../../platform/subgraph/compiled/operation.ts'

/** Gateways check the conditions of `@skip` and `@include`. */
const INPUT = /^(?:Variable|Argument) "(?!if")/

/** A result of graphql-js as ours: input is refused with a code, and without its value. */
export const inOurWords = ({ errors, ...result }: ExecutionResult): ExecutionResult =>
  errors
    ? {
        errors: errors.map((error) => (INPUT.test(error.message) ? inputError(error) : error)),
        ...result,
      }
    : result
