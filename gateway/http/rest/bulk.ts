import { createHash } from 'node:crypto'
import type { ExecutionResult } from 'graphql'
import { AppError } from '../../../formats/errors.ts'
import { type Caller, callerKey, userKeyOf } from '../../../platform/access/caller.ts'
import { Budget } from '../../../platform/load/load.ts'
import {
  type IngestionData,
  type IngestionOutcome,
  inParts,
  requestOfPart,
} from '../../../rest-bridge/ingestion/parts.ts'
import { variablesOf } from '../../../rest-bridge/parameters.ts'
import type { Bulk, RestRequest } from '../../../rest-bridge/route.ts'
import { requireJson } from '../body/read.ts'
import type { HttpRequest } from '../http-message.ts'
import type { IngestionLimits } from './ingestion-limits.ts'
import type { PreparedRoute } from './prepared-routes.ts'
import { RateLimit } from './rate-limit.ts'

export interface BulkOptions {
  limits: IngestionLimits
  queue: IngestionQueue
  /** The sender for the rate limit, for callers without a sign-in. */
  networkOf(request: HttpRequest): string
}

/** One request that brings items, from its admission to its answer. */
export interface BulkCall {
  /** Reads and parses the items. @throws AppError over one of the limits */
  read(): Promise<Pick<RestRequest, 'body' | 'bodyDigest'>>
  /** Stores them: together with other small requests, or part by part. */
  run(request: RestRequest): Promise<ExecutionResult<unknown>>
  /** Headers with the rest that the sender may send. */
  headers: Readonly<Record<string, string>>
  leave(): void
}

/** Admits requests to a bulk route. @returns a function that throws AppError OVERLOADED where the queue is full */
export function bulkIntake(
  row: PreparedRoute,
  { parser: newParser, mergedBytes }: Bulk,
  { limits, queue, networkOf }: BulkOptions,
): (request: HttpRequest) => BulkCall {
  const { route } = row
  const rate = limits.perMinute === null ? null : new RateLimit(route.path, limits.perMinute)
  const limit = { bytes: limits.bodyBytes, exceeded: () => tooLarge(limits) }
  const ingest = (variables: Record<string, unknown>, caller: Caller) =>
    row.run(variables, { caller }) as Promise<IngestionOutcome> // as the operation selects it
  const merged = new MergedOperations<Caller>(
    (events, caller) => ingest({ input: { events } }, caller),
    callerKey,
  )

  return (request) => {
    const { caller, headers } = request
    const slot = queue.enter()
    const sender = rate ? (userKeyOf(caller) ?? networkOf(request)) : ''
    const isKeyed = headers['idempotency-key'] !== undefined
    const digest = isKeyed ? createHash('sha256') : null
    let parts: unknown[][] = []
    let bytes = 0
    return {
      headers: {},
      async read() {
        requireJson(headers['content-type'])
        await rate?.assertAny(sender)
        const parser = newParser(limits.callEvents)
        await request.readPieces(limit, (piece) => {
          bytes += piece.length
          slot.addBytes(piece.length)
          digest?.update(piece)
          parser.add(piece)
        })
        parts = parser.finish()
        const items = parts.reduce((sum, { length }) => sum + length, 0)
        slot.addEvents(items)
        if (rate) this.headers = await rate.take(sender, items)
        const [body = []] = parts
        return { body, ...(digest && { bodyDigest: digest.digest('base64url') }) }
      },
      async run(rest) {
        const [first] = parts
        if (first && bytes <= mergedBytes && !isKeyed) return merged.ingest(first, caller)
        return inParts(parts, (part, range) =>
          ingest(variablesOf(route, requestOfPart(rest, part, range)), caller),
        )
      },
      leave: slot.leave,
    }
  }
}

/** @returns the failure of a body over the limit */
export const tooLarge = ({ bodyBytes }: IngestionLimits) =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The request body is larger than ${bodyBytes} bytes, inflated (EVENTS_BODY_BYTES): send fewer events at a time`,
  )

/** Events of one operation, unless one request alone has more. */
const MAX_EVENTS = 1_000

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
 * an operation costs, they pay once: without it, 1.22 times the processor time for single events, 1.05 times for twenty in
 * a request (docs/adr/0084). Each gets its own part of the result.
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
    for (const event of events) all.push(event)
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

/** The part of the queue that one request takes until it is answered. */
export interface QueueSlot {
  /** @throws AppError OVERLOADED when the bodies of all requests together become too large */
  addBytes(bytes: number): void
  addEvents(events: number): void
  leave(): void
}

type Limits = Pick<IngestionLimits, 'queueEvents' | 'queueBytes' | 'queueRequests'>

/** Bounds what waits to be stored, in requests, bytes and events, so that a flood costs neither memory nor parsing. */
export class IngestionQueue {
  readonly requests: Budget
  readonly events: Budget
  readonly bytes: Budget

  constructor({ queueRequests, queueEvents, queueBytes }: Limits) {
    this.requests = new Budget(queueRequests, full('EVENTS_QUEUE_REQUESTS'))
    this.events = new Budget(queueEvents, full('EVENTS_QUEUE_EVENTS'))
    this.bytes = new Budget(queueBytes, full('EVENTS_QUEUE_BYTES'))
  }

  /** @throws AppError OVERLOADED when there is no room for a further request, whatever its size */
  enter(): QueueSlot {
    for (const budget of [this.requests, this.events, this.bytes]) budget.assertRoom()
    const held = { requests: 0, events: 0, bytes: 0 }
    const take = (what: keyof typeof held, amount: number): boolean => {
      held[what] += amount
      return this[what].take(amount)
    }
    take('requests', 1)
    return {
      addBytes: (more) => {
        if (!take('bytes', more)) throw this.bytes.refusal()
      },
      addEvents: (more) => void take('events', more),
      leave: () => {
        for (const what of ['requests', 'events', 'bytes'] as const) {
          this[what].release(held[what])
          held[what] = 0
        }
      },
    }
  }
}

const full = (name: string) => (limit: number) =>
  new AppError(
    'OVERLOADED',
    `Too much is waiting to be stored (${name} is ${limit}): send it again later`,
  )
