import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { ExecutionResult } from 'graphql'
import type { Context } from '../../../platform/access/caller.ts'
import { FederationError } from '../errors.ts'
import type { Json } from '../executor/own.ts'
import type { NamedOperation } from '../operation/named-operation.ts'
import type { LiveEvent, Subscriber } from './live-event.ts'
import type { PreparedSubscription, Response } from './subscription.ts'

export interface StreamLimits {
  /** Bytes of events that may wait for a client to read them. */
  bufferBytes: number
  /** Grace period for a slow subscriber alone on its stream. With a full buffer for longer, it is disconnected. */
  stallMs: number
  /** Time for a lost stream to be opened again behind its last event. */
  reopenMs?: number
}

export interface StreamRequest {
  operation: NamedOperation
  subscription: PreparedSubscription
  variables: Json
  context: Context
  /** Equal where the contexts of subscribers may share a stream. */
  contextKey: string
}

/** A subscriber of a stream; it moves to another one when streams are merged. */
export interface Membership {
  stream: LiveStream
  subscriber: Subscriber
}

/** With the 20 s in which silence is noticed, three keep-alives. */
const REOPEN_MS = 15_000

/** Pause before a lost stream is opened again; each further one is twice as long. */
const REOPEN_PAUSE_MS = 500

/** Interval at which a stream that all its subscribers are behind checks if one has caught up. */
const LOOK_MS = 20

/**
 * Subscribers that get an event in one turn of the event loop. Node accepts one connection in a turn: with long turns
 * new connections wait in the kernel for many seconds.
 */
const SUBSCRIBERS_PER_TURN = 100

/**
 * Events that came while others were delivered go out together. At most as many are read ahead, and at most this part
 * of a subscriber's buffer.
 */
const EVENTS_AT_ONCE = 10
const BUFFER_SHARE = 1 / 8

/** One upstream, and one execution for each of its events, for all who subscribed to the same. */
export class LiveStream {
  readonly #members = new Set<Membership>()
  readonly #opened = Promise.withResolvers<void>()
  #upstream: AsyncIterator<ExecutionResult> | undefined
  /** Cursor of the last event that was read. */
  #place: string | undefined
  #reopened: { behind: string; at: number } | undefined
  /** Read and not delivered. */
  readonly #came: Response[] = []
  #cameBytes = 0
  /** There is nothing more to read, or why there is not. */
  #end: { error?: unknown } | undefined
  /** Wakes the reader and the delivery, which wait for each other. */
  #wake = () => {}
  /** True if it has delivered an event, so that newcomers would miss something. */
  hasBegun = false
  /** Cursor behind the event that it delivered last; undefined while some subscribers have the next one. */
  cursor: string | undefined
  /** Subscription of the present supergraph. */
  subscription: PreparedSubscription
  readonly request: Omit<StreamRequest, 'subscription'>

  /**
   * @param onDelivered called after each delivery with the ms that it took, and its events as a part of those that go out
   *   together at most @param onEnd called once, at the end of the stream
   */
  constructor(
    { subscription, ...request }: StreamRequest,
    private readonly limits: StreamLimits,
    private readonly onDelivered: (tookMs: number, fill: number) => void,
    private readonly onEnd: () => void,
  ) {
    this.subscription = subscription
    this.request = request
  }

  /** Resolves once it is open at its subgraph, or is refused there. */
  get opened(): Promise<void> {
    return this.#opened.promise
  }

  get members(): number {
    return this.#members.size
  }

  add(subscriber: Subscriber): Membership {
    const member = { stream: this, subscriber }
    this.#members.add(member)
    return member
  }

  /** The upstream is freed in the moment in which the last subscriber leaves. */
  remove(member: Membership): void {
    if (this.#members.delete(member) && this.#members.size === 0) this.#stop()
  }

  /** Takes over the subscribers of another stream, which stands at the same place. */
  takeOver(other: LiveStream): void {
    for (const member of other.#members) {
      member.stream = this
      this.#members.add(member)
    }
    other.#members.clear()
    other.#stop()
  }

  async run(): Promise<void> {
    const { variables, context } = this.request
    try {
      this.#upstream = await this.subscription
        .open(variables, context)
        .finally(() => this.#opened.resolve())
      void this.#read()
      while (this.#members.size > 0) {
        while (this.#came.length === 0 && !this.#end) await this.#change()
        const fill = this.#fill
        const responses = this.#came.splice(0)
        const last = responses.at(-1)
        if (!last || this.#members.size === 0) break
        this.#cameBytes = 0
        this.#wake()
        const began = performance.now()
        await this.#deliver(responses.map(({ event }) => event))
        this.cursor = last.cursor
        this.onDelivered(performance.now() - began, fill)
        await this.#applyBackpressure()
      }
      this.end(this.#end?.error)
    } catch (error) {
      this.end(error)
    }
  }

  end(error?: unknown): void {
    const members = [...this.#members]
    this.#members.clear()
    this.#stop()
    for (const { subscriber } of members) subscriber.end(error)
  }

  /** @returns how many there were of them */
  endNewest(most: number, error: unknown): number {
    if (most <= 0) return 0
    const newest = [...this.#members].slice(-most)
    for (const member of newest) {
      this.remove(member)
      member.subscriber.end(error)
    }
    return newest.length
  }

  /** Reads events ahead of their delivery until there are no more. */
  async #read(): Promise<void> {
    const { variables, context } = this.request
    try {
      while (!this.#end) {
        const { done, value } = await this.#next()
        if (done || this.#members.size === 0) this.#end = {}
        else {
          const response = await this.subscription.respond(value, variables, context)
          this.#place = response.cursor
          this.#came.push(response)
          this.#cameBytes += response.event.text.length
        }
        this.#wake()
        while (this.#fill === 1 && this.#members.size > 0) await this.#change()
      }
    } catch (error) {
      this.#end = { error }
      this.#wake()
    }
  }

  async #next(): Promise<IteratorResult<ExecutionResult>> {
    while (this.#upstream && this.#members.size > 0) {
      try {
        return await this.#upstream.next()
      } catch (error) {
        this.#upstream = await this.#reopen(error)
      }
    }
    return { done: true, value: undefined }
  }

  /**
   * Opens a lost upstream behind the last event that came. Its subscribers are not told, as they miss nothing.
   * @throws why it was lost, unless that succeeds in time
   */
  async #reopen(lost: unknown): Promise<AsyncIterator<ExecutionResult>> {
    const place = this.#place
    const isPassing = lost instanceof FederationError && lost.code === 'DOWNSTREAM_UNREACHABLE'
    if (!isPassing || !this.subscription.isContinuable || place === undefined) throw lost
    const { reopenMs = REOPEN_MS } = this.limits
    const now = performance.now()
    // One that was opened again, brings nothing and is lost once more does not live.
    if (this.#reopened?.behind === place && now < this.#reopened.at + reopenMs) throw lost
    for (let pauseMs = REOPEN_PAUSE_MS; ; pauseMs *= 2) {
      await delay(pauseMs * (0.5 + Math.random()), undefined, { ref: false })
      const leftMs = now + reopenMs - performance.now()
      if (leftMs <= 0 || this.#members.size === 0) throw lost
      const { variables, context } = this.request
      const opening = this.subscription.open(variables, context, place)
      const isOpen = opening.then(
        () => this.#members.size > 0,
        () => false,
      )
      if (await Promise.race([isOpen, delay(leftMs, false, { ref: false })])) {
        this.#reopened = { behind: place, at: performance.now() }
        return opening
      }
      opening.then((late) => late.return?.()).catch(() => {})
    }
  }

  /** Share of the read-ahead buffer in use. */
  get #fill(): number {
    const bytes = this.#cameBytes / (this.limits.bufferBytes * BUFFER_SHARE)
    return Math.min(1, Math.max(this.#came.length / EVENTS_AT_ONCE, bytes))
  }

  /** Waits until events were read, or were taken to be delivered. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  /** Subscribers of a stream that is taken over meanwhile lack the events as well, and get them last. */
  async #deliver(events: readonly LiveEvent[]): Promise<void> {
    this.hasBegun = true
    this.cursor = undefined
    let reached = 0
    for (const { subscriber } of this.#members) {
      for (const event of events) subscriber.event(event)
      if (++reached % SUBSCRIBERS_PER_TURN === 0) await nextTurn()
    }
  }

  /**
   * The fastest reader sets the pace: a subscriber with a full buffer is disconnected while another keeps up. With all
   * buffers full the upstream waits (backpressure), so that a client can replay a long history at its own speed.
   */
  async #applyBackpressure(): Promise<void> {
    const slow = () =>
      [...this.#members].filter(
        ({ subscriber }) => subscriber.waitingBytes() > this.limits.bufferBytes,
      )
    let behind = slow()
    const until = performance.now() + this.limits.stallMs
    while (behind.length > 0 && behind.length === this.#members.size && performance.now() < until) {
      await delay(LOOK_MS, undefined, { ref: false })
      behind = slow()
    }
    for (const member of behind) {
      this.#members.delete(member)
      member.subscriber.tooSlow()
    }
  }

  #stop(): void {
    this.onEnd()
    // No subscriber is left to receive its error.
    Promise.resolve(this.#upstream?.return?.()).catch(() => {})
  }
}
