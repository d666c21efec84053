import type { IncomingMessage } from 'node:http'
import type { Context } from '../../subgraphs/shared/caller.ts'
import { callerOf } from './caller-of.ts'

/** What subgraphs are told of a request. */
export type ContextOf = (request: IncomingMessage) => Context

/** @param forwardHeaders those that subgraphs get, in lower case */
export const createContextOf =
  (forwardHeaders: readonly string[]): ContextOf =>
  (request) => {
    const caller = callerOf(request)
    if (forwardHeaders.length === 0) return { caller }
    const headers: Record<string, string> = {}
    for (const name of forwardHeaders) {
      const value = request.headers[name]
      if (value !== undefined) headers[name] = String(value)
    }
    return { caller, headers }
  }
