import type { ExecutionResult } from 'graphql'
import { FederationError } from '../../../gateway/federation/errors.ts'
import type { SubgraphLink } from '../../../gateway/federation/links/link.ts'
import { LiveEvent, type Subscriber } from '../../../gateway/federation/subscriptions/live-event.ts'
import { LiveStreams } from '../../../gateway/federation/subscriptions/live-streams.ts'
import type { PreparedSubscription } from '../../../gateway/federation/subscriptions/subscription.ts'
import { contextKey } from '../../../platform/access/caller.ts'
import { createLogger } from '../../../platform/process/logger.ts'

export const CONTEXT = { caller: { requestId: 'one', user: 'ada', permissions: [] } }
export const LIMITS = { bufferBytes: 1_000, stallMs: 60, reopenMs: 3_000 }

/** An upstream that the test feeds: an event is a cursor. */
class Upstream {
  readonly #waiting: PromiseWithResolvers<IteratorResult<ExecutionResult>>[] = []
  readonly #events: ExecutionResult[] = []
  isFree = false

  readonly iterator: AsyncIterableIterator<ExecutionResult> = {
    next: () => {
      const next = Promise.withResolvers<IteratorResult<ExecutionResult>>()
      const event = this.#events.shift()
      if (event) next.resolve({ done: false, value: event })
      else this.#waiting.push(next)
      return next.promise
    },
    return: async () => {
      this.isFree = true
      for (const { resolve } of this.#waiting) resolve({ done: true, value: undefined })
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => this.iterator,
  }

  /** Ends without a word, as where a subgraph is silent. */
  lose(): void {
    const lost = new FederationError('DOWNSTREAM_UNREACHABLE', 'gone')
    for (const { reject } of this.#waiting) reject(lost)
  }

  /** Sends an event, and waits until it can have arrived. */
  async send(cursor: string): Promise<void> {
    const event = { data: { cursor } }
    const waiting = this.#waiting.shift()
    if (waiting) waiting.resolve({ done: false, value: event })
    else this.#events.push(event)
    await settled()
  }
}

/** Waits until what was sent can have arrived. */
export const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A subscriber that keeps what it gets. */
export class Client implements Subscriber {
  readonly events: LiveEvent[] = []
  ended: unknown = 'no'
  waiting = 0
  wasSlow = false

  #onEvent = (_cursor: unknown) => {}

  /** @param call called with the cursor of each event */
  onEvent(call: (cursor: unknown) => void): void {
    this.#onEvent = call
  }
  event(event: LiveEvent): void {
    this.events.push(event)
    this.#onEvent(event.result.data?.cursor)
  }
  end(error?: unknown): void {
    this.ended = error
  }
  waitingBytes(): number {
    return this.waiting
  }
  tooSlow(): void {
    this.wasSlow = true
  }
  get cursors(): unknown[] {
    return this.events.map(({ result }) => result.data?.cursor)
  }
}

/** Streams over upstreams that the test feeds. */
export function setUp({ isResumable = true } = {}) {
  const upstreams: Upstream[] = []
  const opened: (string | undefined)[] = []
  let executions = 0
  const link = { name: 'events' } as SubgraphLink
  const subscription: PreparedSubscription = {
    plan: { kind: 'Subscription' } as PreparedSubscription['plan'],
    link,
    isResumable,
    isContinuable: isResumable,
    async open(_variables, _context, behind) {
      opened.push(behind)
      const upstream = new Upstream()
      upstreams.push(upstream)
      return upstream.iterator
    },
    async respond(event) {
      executions++
      const cursor = isResumable ? String(event.data?.cursor) : undefined
      return { event: new LiveEvent({ data: { ...event.data } }), cursor }
    },
    isLike: (other) => other === subscription,
  }
  const streams = new LiveStreams(createLogger('silent'), LIMITS)
  const join = async (
    client: Client,
    { user = 'ada', text = 'subscription { changed }', requestId = 'one' } = {},
  ) => {
    const context = { ...CONTEXT, caller: { requestId, user, permissions: [] } }
    const { leave } = streams.join(
      {
        operation: { text },
        subscription,
        variables: {},
        context,
        contextKey: contextKey(context),
      },
      client,
    )
    await settled()
    return leave
  }
  return { upstreams, opened, streams, join, subscription, executions: () => executions }
}
