import type { ExecutionResult } from 'graphql'
import { type Context, contextKey } from '../../../subgraphs/platform/access/caller.ts'
import { bodyOf, type PlannedRequest, type SubgraphLink } from '../links/link.ts'
import { copied } from './own.ts'

/** A fetch that has no answer yet. Both of its parts are let go of then: see `Run` in shared-runs.ts. */
interface Flight {
  request: PlannedRequest | undefined
  /** Those who wait for the same; each gets data of its own, because runs change theirs. */
  waiting: PromiseWithResolvers<ExecutionResult>[]
}

/** What one caller has in flight at one subgraph. */
interface Flights {
  /** Most callers have one fetch at a time, so no body has to be made and compared. */
  first: Flight | undefined
  /** The others, by their bodies. */
  others: Map<string, Flight> | undefined
}

/**
 * Equal queries in flight of equal callers are one fetch. No query joins a fetch that began before a mutation ended or an
 * event came: a client that knows of a change must not get a stale read.
 */
export class SharedFetches {
  /** Whether other processes change the same data: then a query must not join a fetch that began before it. */
  readonly othersChange: boolean
  #inFlight = new Map<string, Flights>()
  #changes = 0

  constructor({ othersChange = false } = {}) {
    this.othersChange = othersChange
  }

  async execute(
    link: SubgraphLink,
    given: PlannedRequest,
    context: Context,
  ): Promise<ExecutionResult> {
    if (given.kind !== 'query') return link.execute(given, context).finally(() => this.changed())
    if (this.othersChange) return link.execute(given, context)
    const caller = `${link.name}\n${contextKey(context)}`
    const flights = this.#flightsOf(caller)
    const request = { ...given } // its body is kept in it
    const execute = () => link.execute(request, context)
    if (!flights.first && !flights.others) return this.#begin(caller, flights, request, execute)
    request.body = bodyOf(request)
    if (flights.first?.request) flights.first.request.body ??= bodyOf(flights.first.request)
    const isFirst = flights.first?.request?.body === request.body
    const same = isFirst ? flights.first : flights.others?.get(request.body)
    if (!same) return this.#begin(caller, flights, request, execute)
    const result = Promise.withResolvers<ExecutionResult>()
    same.waiting.push(result)
    return result.promise
  }

  #flightsOf(caller: string): Flights {
    let flights = this.#inFlight.get(caller)
    if (!flights) {
      flights = { first: undefined, others: undefined }
      this.#inFlight.set(caller, flights)
    }
    return flights
  }

  /** @param request without a body, it is the only one of its caller */
  async #begin(
    caller: string,
    flights: Flights,
    request: PlannedRequest,
    execute: () => Promise<ExecutionResult>,
  ): Promise<ExecutionResult> {
    const inFlight = this.#inFlight
    const flight: Flight = { request, waiting: [] }
    const { body } = request
    if (!flights.first && !flights.others) flights.first = flight
    else {
      flights.others ??= new Map()
      flights.others.set(body ?? '', flight)
    }
    try {
      const result = await execute()
      for (const own of flight.waiting)
        own.resolve({ ...result, data: copied(result.data) as ExecutionResult['data'] })
      return result
    } catch (error) {
      for (const own of flight.waiting) own.reject(error)
      throw error
    } finally {
      flight.request = undefined
      flight.waiting = []
      if (flights.first === flight) flights.first = undefined
      else if (flights.others?.delete(body ?? '') && flights.others.size === 0)
        flights.others = undefined
      if (!flights.first && !flights.others) inFlight.delete(caller)
    }
  }

  /** Number of changes reported to it. */
  get changes(): number {
    return this.#changes
  }

  /** Fetches in flight may return stale data: no query joins them from now on. */
  changed(): void {
    this.#changes++
    if (this.#inFlight.size > 0) this.#inFlight = new Map()
  }
}
