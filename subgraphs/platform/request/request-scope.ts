import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Caller } from '../access/caller.ts'

/** A key for what the fields of one operation share. */
export interface RequestScope {
  /** Who asks, as far as it is known; undefined otherwise. */
  owner: string | undefined
}

const scope = new AsyncLocalStorage<RequestScope>()

/** Runs one operation of a subgraph, so that all that it does is known as one request: see `currentRequest`. */
export const asRequest = <Result>(run: () => Result, caller?: Caller): Result =>
  scope.run({ owner: caller?.account ?? caller?.user ?? caller?.address }, run)

/** The operation that is being run; undefined outside of one. */
export const currentRequest = (): RequestScope | undefined => scope.getStore()

const REQUEST_ID = /^[\w.:-]{1,128}$/

/** What `X-Request-Id` says, or a new id where it says nothing that can stand in a log line. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}
