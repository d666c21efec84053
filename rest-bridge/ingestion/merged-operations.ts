import type { ExecutionResult } from 'graphql'

/** The verdicts on the events of an operation, by position. */
export interface IngestionData {
  ingestEvents: {
    sent: number
    success: 'ALL' | 'PARTIAL' | 'NONE'
    accepted: { index: number; id: string }[]
    errors: { index: number; message: string }[]
    replayed: boolean
  }
}

export type IngestionOutcome = Pick<ExecutionResult<IngestionData>, 'data' | 'errors'>

/** Events of one operation, unless one request alone has more. */
const MAX_EVENTS = 1_000
/**
 * Larger requests gain nothing. No request of this size nests too deeply to be sent to a subgraph, so that none fails
 * the others.
 */
export const MERGED_BYTES = 4_096

interface Part {
  from: number
  count: number
  resolve(outcome: IngestionOutcome): void
  reject(reason: unknown): void
}

interface Operation<Caller> {
  caller: Caller
  events: unknown[]
  parts: Part[]
}

/**
 * Small requests of equal callers that arrive in the same turn of the event loop become one operation: everything that
 * an operation costs, they pay once. Each gets its own part of the result.
 */
export class MergedOperations<Caller> {
  readonly #execute: (events: unknown[], caller: Caller) => Promise<IngestionOutcome>
  readonly #keyOf: (caller: Caller) => string
  readonly #open = new Map<string, Operation<Caller>>()

  /** @param keyOf equal for callers that subgraphs answer alike */
  constructor(
    execute: (events: unknown[], caller: Caller) => Promise<IngestionOutcome>,
    keyOf: (caller: Caller) => string,
  ) {
    this.#execute = execute
    this.#keyOf = keyOf
  }

  /** @param events at least one */
  ingest(events: readonly unknown[], caller: Caller): Promise<IngestionOutcome> {
    const key = this.#keyOf(caller)
    let operation = this.#open.get(key)
    if (!operation || operation.events.length + events.length > MAX_EVENTS) {
      operation = { caller, events: [], parts: [] }
      this.#open.set(key, operation)
      setImmediate(this.#run, key, operation)
    }
    const { parts, events: all } = operation
    const from = all.length
    all.push(...events)
    return new Promise((resolve, reject) => {
      parts.push({ from, count: events.length, resolve, reject })
    })
  }

  readonly #run = async (key: string, operation: Operation<Caller>): Promise<void> => {
    if (this.#open.get(key) === operation) this.#open.delete(key)
    const { events, caller, parts } = operation
    try {
      const outcome = await this.#execute(events, caller)
      if (!outcome.data?.ingestEvents) for (const { resolve } of parts) resolve(outcome)
      else deliver(outcome.data.ingestEvents, parts)
    } catch (error) {
      for (const { reject } of parts) reject(error)
    }
  }
}

/** Both lists are in order of position, and so are the parts. */
function deliver(
  { accepted, errors, replayed }: IngestionData['ingestEvents'],
  parts: readonly Part[],
): void {
  const takeAccepted = taker(accepted)
  const takeErrors = taker(errors)
  for (const { from, count, resolve } of parts) {
    const mine = takeAccepted(from, count)
    const refused = takeErrors(from, count)
    const success = refused.length === 0 ? 'ALL' : mine.length === 0 ? 'NONE' : 'PARTIAL'
    resolve({
      data: {
        ingestEvents: { sent: mine.length, success, accepted: mine, errors: refused, replayed },
      },
    })
  }
}

function taker<Item extends { index: number }>(items: readonly Item[]) {
  let next = 0
  return (from: number, count: number): Item[] => {
    const taken: Item[] = []
    for (let item = items[next]; item && item.index < from + count; item = items[++next])
      taken.push({ ...item, index: item.index - from })
    return taken
  }
}
