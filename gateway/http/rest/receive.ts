import { AppError, type ErrorCode } from '../../../formats/errors.ts'
import { failureOf } from '../../../formats/failure.ts'
import { joined } from '../../../formats/json/json.ts'
import type { Received } from '../../../formats/received/received.ts'
import { type Caller, userKeyOf } from '../../../platform/access/caller.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import { answerTo, eventOfRefusals } from '../../../rest-bridge/receivers/answers.ts'
import type {
  ReceivedOutcome,
  Receiver,
  ReceiverSecret,
  SenderRequest,
} from '../../../rest-bridge/receivers/receiver.ts'
import type { Address } from '../../../rest-bridge/route.ts'
import {
  bytesResponse,
  type HttpRequest,
  type TextResponse,
  textResponse,
} from '../http-message.ts'
import type { Endpoint, PathParameters } from '../router.ts'
import { type BulkOptions, type QueueSlot, tooLarge } from './bulk.ts'
import type { PreparedRoute } from './prepared-routes.ts'
import { RateLimit } from './rate-limit.ts'
import { BegunRequests, type StoredItems, storeItems } from './received-items.ts'
import type { FindReceiver } from './stored-receivers.ts'

export interface ReceiverOptions extends BulkOptions {
  /** Secrets of receivers, as far as they are set. */
  receiverSecrets: Readonly<Partial<Record<ReceiverSecret, string>>>
  findReceiver: FindReceiver
  /** Counts what a receiver never accepts. */
  countRefused(receiver: string, items: number): void
}

/** Codes of failures that come back with each repetition: the sender gets a success, and people an event. */
const FINAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BAD_USER_INPUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
])

/** Takes in what senders of other tools send, by the limits of `/v1/events`. */
export class ReceiverEndpoint implements Endpoint {
  readonly isUnlimited = true
  readonly failureBytes: Endpoint['failureBytes']
  readonly #rate: RateLimit | null
  readonly #begun = new BegunRequests()

  constructor(
    private readonly row: PreparedRoute,
    private readonly builtIn: Receiver | 'STORED',
    private readonly options: ReceiverOptions,
    private readonly addressOf: (request: HttpRequest) => Address,
  ) {
    const { perMinute } = options.limits
    this.#rate = perMinute === null ? null : new RateLimit(row.route.path, perMinute)
    if (builtIn !== 'STORED')
      this.failureBytes = ({ message }, headers) =>
        builtIn.fail?.(message, headers as SenderRequest['headers']) // as in #received
  }

  async handle(request: HttpRequest, params: PathParameters): Promise<TextResponse> {
    const receiver = await this.#receiverOf(request.caller, params)
    const secret = this.#secretOf(receiver)
    if (secret === undefined) this.#admit(request.caller)
    const slot = this.options.queue.enter()
    try {
      return await this.#received(request, receiver, secret, slot)
    } catch (error) {
      const failure = failureOf(error)
      throw this.row.route.failureOf?.(failure, this.addressOf(request), null) ?? failure
    } finally {
      slot.leave()
    }
  }

  async #received(
    request: HttpRequest,
    receiver: Receiver,
    secret: string | undefined,
    slot: QueueSlot,
  ): Promise<TextResponse> {
    const { limits, networkOf } = this.options
    const { caller } = request
    const body = await this.#read(request, slot)
    const sent: SenderRequest = {
      body: body instanceof AppError ? Buffer.alloc(0) : body,
      headers: request.headers as SenderRequest['headers'], // no receiver reads the only one that comes as a list
      query: this.addressOf(request).query,
      now: new Date(),
      mostEvents: limits.callEvents,
    }
    const by = this.#senderOf(caller, sent, receiver, secret)
    const received =
      body instanceof AppError ? [refusal(body)] : decoded(receiver, sent, limits.callEvents)
    const events = received.reduce((sum, each) => sum + ('event' in each ? 1 : 0), 0)
    slot.addEvents(events)
    const sender = this.#rate ? (userKeyOf(caller) ?? networkOf(request)) : ''
    const headers = (await this.#rate?.take(sender, events)) ?? {}
    const outcome = await this.#begun.goOn(
      { receiver: receiver.name, by, body: sent.body },
      (stored) => this.#storeAll(receiver, received, by, stored),
    )
    const answer = (receiver.respond ?? answerTo)(outcome, sent)
    const { status, body: json, bytes, mediaType = '' } = answer
    if (bytes) return bytesResponse({ status, headers }, mediaType, bytes)
    return textResponse({ status, body: json, headers })
  }

  #admit(caller: Caller): void {
    for (const rule of this.row.rules) requirePermission(caller, rule)
  }

  /** @throws AppError NOT_FOUND; UNAUTHENTICATED, FORBIDDEN for those who may not know that */
  async #receiverOf(caller: Caller, params: PathParameters): Promise<Receiver> {
    if (this.builtIn !== 'STORED') return this.builtIn
    const { name = '' } = params()
    const found = await this.options.findReceiver(name, caller)
    if (found) return found
    this.#admit(caller)
    throw new AppError('NOT_FOUND', `There is no receiver with the name or id ${name}`)
  }

  #secretOf({ secret }: Receiver): string | undefined {
    if (!secret) return undefined
    const { held } = secret
    return 'value' in held ? held.value : this.options.receiverSecrets[held.setting]
  }

  /** The caller whom the events are stored for. @throws AppError UNAUTHENTICATED, FORBIDDEN */
  #senderOf(
    caller: Caller,
    request: SenderRequest,
    receiver: Receiver,
    secret: string | undefined,
  ): Caller {
    const isProven = secret !== undefined && receiver.secret?.isProof(request, secret)
    if (isProven) return { ...caller, permissions: ['events:write'] }
    if (secret === undefined || caller.user !== null) this.#admit(caller)
    else throw unproven(receiver)
    return caller
  }

  async #read(request: HttpRequest, slot: QueueSlot): Promise<Buffer | AppError> {
    const { limits } = this.options
    const pieces: Buffer[] = []
    const limit = { bytes: limits.bodyBytes, exceeded: () => tooLarge(limits) }
    try {
      await request.readPieces(limit, (piece) => {
        slot.addBytes(piece.length)
        pieces.push(piece)
      })
      return joined(pieces)
    } catch (error) {
      return finalFailure(error)
    }
  }

  async #storeAll(
    receiver: Receiver,
    received: readonly Received[],
    by: Caller,
    stored: StoredItems,
  ): Promise<ReceivedOutcome> {
    const items = received.flatMap((each, index) => ('event' in each ? [{ ...each, index }] : []))
    await storeItems(this.row, items, by, stored)
    const positions = items.map(({ index }) => index)
    const outcome = placed(received, positions, stored)
    if (outcome.errors.length > 0) {
      await storeItems(this.row, [{ event: eventOfRefusals(receiver, outcome) }], by)
      this.options.countRefused(receiver.name, outcome.errors.length)
    }
    return outcome
  }
}

/** @returns a failure that comes back with each repetition @throws any other */
function finalFailure(error: unknown): AppError {
  if (error instanceof AppError && FINAL.has(error.code)) return error
  throw error
}

const refusal = ({ message }: AppError): Received => ({ refused: message })

function decoded(receiver: Receiver, request: SenderRequest, most: number): Received[] {
  try {
    const received = receiver.decode(request)
    if (received.length <= most) return received
    return [{ refused: `The request has more than ${most} events (EVENTS_CALL_EVENTS)` }]
  } catch (error) {
    return [refusal(finalFailure(error))]
  }
}

/** Verdicts of decoder and store by the position in the request. */
function placed(
  received: readonly Received[],
  positions: readonly number[],
  { accepted, errors }: ReceivedOutcome,
): ReceivedOutcome {
  const at = <Verdict extends { index: number }>(verdict: Verdict) => ({
    ...verdict,
    index: positions[verdict.index] ?? verdict.index,
  })
  const refused = received.flatMap((each, index) =>
    'refused' in each ? [{ index, message: each.refused }] : [],
  )
  return {
    accepted: accepted.map(at),
    errors: [...refused, ...errors.map(at)].sort((a, b) => a.index - b.index),
  }
}

const unproven = ({ name, secret }: Receiver) =>
  new AppError(
    'UNAUTHENTICATED',
    `The request does not prove that its sender knows the secret of the receiver ${name}${
      secret && 'setting' in secret.held ? ` (${secret.held.setting})` : ''
    }`,
  )
