import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../subgraphs/shared/caller.ts'
import { requestIdOf } from '../../subgraphs/shared/request-id.ts'

const callers = new WeakMap<IncomingMessage, Caller>()

/** Who sends a request: nobody, who may do nothing, until `rememberCaller` says more. */
export const callerOf = (request: IncomingMessage): Caller =>
  callers.get(request) ??
  rememberCaller(request, { requestId: requestIdOf(request), user: null, permissions: [] })

export function rememberCaller(request: IncomingMessage, caller: Caller): Caller {
  callers.set(request, caller)
  return caller
}
