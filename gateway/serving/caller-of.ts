import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../subgraphs/shared/caller.ts'

const REQUEST_ID = /^[\w.:-]{1,128}$/
const callers = new WeakMap<IncomingMessage, Caller>()

/** Who sends a request: the same answer each time it is asked. An unusable `X-Request-Id` is replaced. */
export function callerOf(request: IncomingMessage): Caller {
  const known = callers.get(request)
  if (known) return known
  const given = request.headers['x-request-id']
  const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
  const caller: Caller = { requestId, user: null }
  callers.set(request, caller)
  return caller
}
