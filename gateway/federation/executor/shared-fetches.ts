import type { ExecutionResult } from 'graphql'
import { type Context, contextKey } from '../../../subgraphs/platform/access/caller.ts'
import { bodyOf, type PlannedRequest, type SubgraphLink } from '../links/link.ts'
import { copied } from './own.ts'

type Result = PromiseWithResolvers<ExecutionResult>

/**
 * Equal queries in flight of equal callers are one fetch. No query joins a fetch that began before a mutation ended or an
 * event came: a client that knows of a change must not get a stale read.
 */
export class SharedFetches {
  /** Whether other processes change the same data: then a query must not join a fetch that began before it. */
  readonly othersChange: boolean
  /** Query → those who wait for the same; each gets data of its own, because runs change theirs. */
  #inFlight = new Map<string, Result[]>()
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
    const inFlight = this.#inFlight
    const body = bodyOf(request)
    const key = `${link.name}\n${body}\n${contextKey(context)}`
    const others = inFlight.get(key)
    if (others) {
      const mine: Result = Promise.withResolvers()
      others.push(mine)
      return mine.promise
    }
    const waiting: Result[] = []
    inFlight.set(key, waiting)
    try {
      const result = await link.execute({ ...request, body }, context)
      for (const { resolve } of waiting)
        resolve({ ...result, data: copied(result.data) as ExecutionResult['data'] })
      return result
    } catch (error) {
      for (const { reject } of waiting) reject(error)
      throw error
    } finally {
      inFlight.delete(key)
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
