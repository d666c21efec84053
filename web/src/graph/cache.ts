import {
  type Exchange,
  formatDocument,
  makeOperation,
  type Operation,
  type OperationResult,
} from '@urql/core'
import { filter, map, merge, pipe, share, tap } from 'wonka'

/** Results that are kept of reads that nothing shows any more. */
const MOST = 100

interface Kept {
  result: OperationResult
  /** Names of the types that it has. */
  types: ReadonlySet<string>
}

/**
 * As urql's `cacheExchange`, which never forgets: a page that is open for days reads ever new ranges of time. What is read
 * with `isKept: false` leaves nothing behind.
 */
export const boundedCacheExchange: Exchange = ({ forward, client }) => {
  /** By the key of an operation, the latest last. */
  const kept = new Map<number, Kept>()
  const shown = new Set<number>()

  const isAnswered = ({ kind, key, context }: Operation): boolean =>
    kind === 'query' && context.requestPolicy !== 'network-only' && kept.has(key)

  const note = ({ kind, key }: Operation): void => {
    if (kind === 'query') shown.add(key)
    if (kind === 'teardown') shown.delete(key)
    const unused = [...kept.keys()].filter((each) => !shown.has(each))
    for (const each of unused.slice(0, -MOST)) kept.delete(each)
  }

  const readAgain = (operation: Operation): void =>
    client.reexecuteOperation(
      makeOperation(operation.kind, operation, { requestPolicy: 'network-only' }),
    )

  const answer = (operation: Operation): OperationResult => {
    const { result } = kept.get(operation.key) as Kept // as `isAnswered` has found it
    const stale = operation.context.requestPolicy === 'cache-and-network'
    if (stale) readAgain(operation)
    return { ...result, operation, stale }
  }

  const keep = (result: OperationResult): void => {
    const { kind, key, context } = result.operation
    if (!result.data || context.isKept === false) return
    const types = new Set(typesIn(result.data))
    if (kind === 'query') {
      kept.delete(key)
      kept.set(key, { result, types })
      return
    }
    for (const [each, { result, types: had }] of [...kept])
      if ([...types].some((type) => had.has(type))) {
        kept.delete(each)
        readAgain(result.operation)
      }
  }

  return (operations) => {
    const shared = pipe(operations, tap(note), share)
    const answered = pipe(shared, filter(isAnswered), map(answer))
    const asked = pipe(
      shared,
      filter((operation) => !isAnswered(operation)),
      map(withTypes),
      forward,
      tap(keep),
    )
    return merge([answered, asked])
  }
}

/** Has each object say its type. */
function withTypes(operation: Operation): Operation {
  if (operation.kind === 'teardown') return operation
  const typed = makeOperation(operation.kind, operation)
  typed.query = formatDocument(operation.query)
  return typed
}

function* typesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value))
    if (name === '__typename' && typeof each === 'string') yield each
    else yield* typesIn(each)
}
