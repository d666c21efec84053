import { GraphQLError } from 'graphql'
import type { Logger } from '../../../platform/process/logger.ts'
import type { FederationError } from '../errors.ts'
import type { NamedOperation } from '../operation/named-operation.ts'
import { DeliveryLoad, LOOK_MS, tooManySubscribers } from './delivery-load.ts'
import type { Place, Subscriber } from './live-event.ts'
import {
  LiveStream,
  type Membership,
  type StreamLimits,
  type StreamRequest,
} from './live-stream.ts'
import type { PreparedSubscription } from './subscription.ts'

const STREAM_LIMITS: StreamLimits = { bufferBytes: 1024 * 1024, stallMs: 10_000 }

/** Streams that clients subscribe to right now. Equal subscriptions of equal callers share a stream. */
export class LiveStreams {
  /** Streams of equal subscriptions; the oldest first. */
  readonly #streams = new Map<string, LiveStream[]>()
  readonly #load = new DeliveryLoad()
  #looking: NodeJS.Timeout | undefined
  #utilization = performance.eventLoopUtilization()

  constructor(
    private readonly log: Logger,
    private readonly limits: StreamLimits = STREAM_LIMITS,
  ) {}

  /** Streams that are open. */
  get size(): number {
    return this.#all().length
  }

  /** Why new subscribers are refused for now; undefined while there is room. */
  refusal(): FederationError | undefined {
    return this.#load.isFull(this.#subscribers()) ? tooManySubscribers() : undefined
  }

  /**
   * Joins a stream that has not delivered anything yet, or any where it makes no difference when it began; otherwise a
   * new one, which becomes one with an older one as soon as both stand at the same place.
   */
  join(request: StreamRequest, subscriber: Subscriber): Place {
    const { operation, subscription, variables, contextKey } = request
    const key = JSON.stringify([
      operation.operationName ?? null,
      operation.text,
      operation.denied ?? null,
      variables,
      contextKey,
    ])
    const known = (this.#streams.get(key) ?? []).findLast(
      (stream) => !stream.hasBegun || !subscription.isResumable,
    )
    const stream = known ?? this.#open(key, request)
    const member = stream.add(subscriber)
    this.#load.joined()
    this.#lookAgain()
    if (!known) void stream.run()
    return placeOf(member)
  }

  #lookAgain(): void {
    this.#looking ??= setInterval(() => this.#look(), LOOK_MS).unref()
  }

  /**
   * Streams whose plan is the same in a new supergraph go on, with its schema; the others end.
   * @param prepare what the operation is there, if it is valid
   */
  async reload(
    prepare: (operation: NamedOperation) => Promise<PreparedSubscription | undefined>,
  ): Promise<void> {
    for (const stream of this.#all()) {
      const { operation } = stream.request
      const next = await prepare(operation)
      if (next?.isLike(stream.subscription)) stream.subscription = next
      else stream.end(RELOADED)
    }
  }

  #all(): LiveStream[] {
    return [...this.#streams.values()].flat()
  }

  #subscribers(): number {
    return this.#all().reduce((sum, { members }) => sum + members, 0)
  }

  /** The newest subscribers leave first. */
  #look(): void {
    const since = this.#utilization
    this.#utilization = performance.eventLoopUtilization()
    const busy = performance.eventLoopUtilization(this.#utilization, since).utilization
    const subscribers = this.#subscribers()
    let surplus = this.#load.look({ now: performance.now(), busy, subscribers })
    if (surplus === 0) return
    this.log.warn({ subscribers: surplus }, 'Deliveries are late: subscribers have to leave')
    for (const stream of this.#all().reverse())
      surplus -= stream.endNewest(surplus, tooManySubscribers())
  }

  #open(key: string, request: StreamRequest): LiveStream {
    const stream: LiveStream = new LiveStream(
      request,
      this.limits,
      (tookMs, fill) => {
        this.#load.delivered(stream, tookMs, fill)
        this.#unite(key, stream)
      },
      () => this.#forget(key, stream),
    )
    this.#streams.set(key, [...(this.#streams.get(key) ?? []), stream])
    return stream
  }

  #unite(key: string, stream: LiveStream): void {
    if (stream.cursor === undefined) return
    const [oldest, ...others] = (this.#streams.get(key) ?? []).filter(
      ({ cursor }) => cursor === stream.cursor,
    )
    for (const other of others) oldest?.takeOver(other)
    if (others.length > 0) this.log.debug({ streams: others.length + 1 }, 'Streams became one')
  }

  #forget(key: string, stream: LiveStream): void {
    const left = (this.#streams.get(key) ?? []).filter((one) => one !== stream)
    if (left.length > 0) this.#streams.set(key, left)
    else this.#streams.delete(key)
    if (this.#streams.size > 0) return
    clearInterval(this.#looking)
    this.#looking = undefined
  }
}

/** A function of its own: it must not refer to the subscription, whose supergraph may be replaced while the stream goes on. */
const placeOf = (member: Membership): Place => ({
  opened: member.stream.opened,
  leave: () => member.stream.remove(member),
})

/** The code is that of other gateways. */
const RELOADED = new GraphQLError(
  'The graph has changed what this subscription needs; subscribe again',
  {
    extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD' },
  },
)
