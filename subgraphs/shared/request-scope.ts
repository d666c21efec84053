import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<object>()

/** Runs one operation of a subgraph, so that all that it does is known as one request: see `currentRequest`. */
export const asRequest = <Result>(run: () => Result): Result => scope.run({}, run)

/** The operation that is being run, as a key for what its fields share; undefined outside of one. */
export const currentRequest = (): object | undefined => scope.getStore()
