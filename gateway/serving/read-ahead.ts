import type { IncomingMessage } from 'node:http'
import type { ExecutionResult } from 'graphql'

/** What was read of a request, and perhaps found out, before the router gets it. */
export interface ReadAhead {
  /** The JSON of its body, or why there is none. */
  body: { json: unknown } | { error: unknown }
  /** What came of the operation, which must not run again. */
  result?: Promise<ExecutionResult> | undefined
}

export const readAhead = new WeakMap<IncomingMessage, ReadAhead>()
