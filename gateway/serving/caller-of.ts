import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../subgraphs/shared/caller.ts'
import { requestIdOf } from '../../subgraphs/shared/request-id.ts'

const CALLER = Symbol('caller')

/** A property, not a WeakMap: of so many short-lived keys the collector would make a tenth of a request. */
interface Asked extends IncomingMessage {
  [CALLER]?: Caller
}

/** Who sends a request: nobody, who may do nothing, until `rememberCaller` says more. */
export const callerOf = (request: Asked): Caller =>
  request[CALLER] ??
  rememberCaller(request, { requestId: requestIdOf(request), user: null, permissions: [] })

export function rememberCaller(request: Asked, caller: Caller): Caller {
  request[CALLER] = caller
  return caller
}
