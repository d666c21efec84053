import type { ExecutionResult } from 'graphql'
import { type Context, contextKey } from '../../../subgraphs/platform/access/caller.ts'
import { bodyOf, type PlannedRequest, type SubgraphLink } from '../links/link.ts'
import { copied } from './own.ts'

type Result = PromiseWithResolvers<ExecutionResult>

/** A fetch that has no answer yet. */
interface Flight {
  /** Undefined once it has its answer: see `Run` in shared-runs.ts. */
  request: PlannedRequest | undefined
  /** Those who wait for the same; each gets data of its own, because runs change theirs. */
  waiting: Result[]
}

interface InFlight {
  /** One of each caller to each subgraph: most have one at a time, so no body has to be made and compared. */
  firsts: Map<string, Flight>
  /** The others, by their bodies. */
  others: Map<string, Flight>
}

const nothing = (): InFlight => ({ firsts: new Map(), others: new Map() })

/**
 * Equal queries in flight of equal callers are one fetch. No query joins a fetch that began before a mutation ended or an
 * event came: a client that knows of a change must not get a stale read.
 */
export class SharedFetches {
  /** Whether other processes change the same data: then a query must not join a fetch that began before it. */
  readonly othersChange: boolean
  #inFlight = nothing()
  #changes = 0

  constructor({ othersChange = false } = {}) {
    this.othersChange = othersChange
  }

  async execute(
    link: SubgraphLink,
    request: PlannedRequest,
    context: Context,
  ): Promise<ExecutionResult> {
    if (request.kind !== 'query')
      return link.execute(request, context).finally(() => this.changed())
    if (this.othersChange) return link.execute(request, context)
    const { firsts, others } = this.#inFlight
    const caller = `${link.name}\n${contextKey(context)}`
    const first = firsts.get(caller)
    const begin = (flights: Map<string, Flight>, key: string, asked: PlannedRequest) =>
      this.#begin(flights, key, asked, () => link.execute(asked, context))
    if (!first && others.size === 0) return begin(firsts, caller, request)
    const body = bodyOf(request)
    const key = `${caller}\n${body}`
    if (first?.request) first.request = { ...first.request, body: bodyOf(first.request) }
    const same = first?.request?.body === body ? first : others.get(key)
    if (!same) return begin(others, key, { ...request, body })
    const mine: Result = Promise.withResolvers()
    same.waiting.push(mine)
    return mine.promise
  }

  async #begin(
    flights: Map<string, Flight>,
    key: string,
    request: PlannedRequest,
    execute: () => Promise<ExecutionResult>,
  ): Promise<ExecutionResult> {
    const waiting: Result[] = []
    const flight: Flight = { request, waiting }
    flights.set(key, flight)
    try {
      const result = await execute()
      for (const { resolve } of waiting)
        resolve({ ...result, data: copied(result.data) as ExecutionResult['data'] })
      return result
    } catch (error) {
      for (const { reject } of waiting) reject(error)
      throw error
    } finally {
      flights.delete(key)
      flight.request = undefined
    }
  }

  /** Number of changes reported to it. */
  get changes(): number {
    return this.#changes
  }

  /** Fetches in flight may return stale data: no query joins them from now on. */
  changed(): void {
    this.#changes++
    this.#inFlight = nothing()
  }
}
