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
import { bytesResponse, type HttpRequest, textResponse } from '../http-message.ts'
import type { Endpoint, PathParameters } from '../router.ts'
import { type BulkOptions, type QueueSlot, tooLarge } from './bulk.ts'
import type { PreparedRoute } from './prepared-routes.ts'
import { RateLimit } from './rate-limit.ts'
import { BegunRequests, type Item, type StoredItems, storeItems } from './received-items.ts'
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
export function receiverEndpoint(
  row: PreparedRoute,
  builtIn: Receiver | 'STORED',
  options: ReceiverOptions,
  addressOf: (request: HttpRequest) => Address,
): Endpoint {
  const { route, rules } = row
  const { limits, queue, networkOf, countRefused } = options
  const rate = limits.perMinute === null ? null : new RateLimit(route.path, limits.perMinute)
  const begun = new BegunRequests()
  const admit = (caller: Caller) => {
    for (const rule of rules) requirePermission(caller, rule)
  }

  /** @throws AppError NOT_FOUND; UNAUTHENTICATED, FORBIDDEN for those who may not know that */
  const receiverOf = async (caller: Caller, params: PathParameters): Promise<Receiver> => {
    if (builtIn !== 'STORED') return builtIn
    const { name = '' } = params()
    const found = await options.findReceiver(name, caller)
    if (found) return found
    admit(caller)
    throw new AppError('NOT_FOUND', `There is no receiver with the name or id ${name}`)
  }

  const secretOf = ({ secret }: Receiver): string | undefined => {
    if (!secret) return undefined
    return 'value' in secret.held ? secret.held.value : options.receiverSecrets[secret.held.setting]
  }

  /** The caller whom the events are stored for. @throws AppError UNAUTHENTICATED, FORBIDDEN */
  const callerOf = (
    { caller }: HttpRequest,
    request: SenderRequest,
    receiver: Receiver,
    secret: string | undefined,
  ): Caller => {
    const isProven = secret !== undefined && receiver.secret?.isProof(request, secret)
    if (isProven) return { ...caller, permissions: ['events:write'] }
    if (secret === undefined || caller.user !== null) admit(caller)
    else throw unproven(receiver)
    return caller
  }

  const read = async (request: HttpRequest, slot: QueueSlot): Promise<Buffer | AppError> => {
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

  const storeAll = async (
    receiver: Receiver,
    received: readonly Received[],
    items: readonly (Item & { index: number })[],
    by: Caller,
    stored: StoredItems,
  ): Promise<ReceivedOutcome> => {
    await storeItems(row, items, by, stored)
    const positions = items.map(({ index }) => index)
    const outcome = placed(received, positions, stored)
    if (outcome.errors.length > 0) {
      await storeItems(row, [{ event: eventOfRefusals(receiver, outcome) }], by)
      countRefused(receiver.name, outcome.errors.length)
    }
    return outcome
  }

  return {
    isUnlimited: true,
    failureBytes:
      builtIn === 'STORED'
        ? undefined
        : ({ message }, headers) => builtIn.fail?.(message, headers as SenderRequest['headers']), // as in handle
    async handle(request, params) {
      const { caller, headers } = request
      const receiver = await receiverOf(caller, params)
      const secret = secretOf(receiver)
      if (secret === undefined) admit(caller)
      const slot = queue.enter()
      try {
        const body = await read(request, slot)
        const sent: SenderRequest = {
          body: body instanceof AppError ? Buffer.alloc(0) : body,
          headers: headers as SenderRequest['headers'], // no receiver reads the only one that comes as a list
          query: addressOf(request).query,
          now: new Date(),
          mostEvents: limits.callEvents,
        }
        const by = callerOf(request, sent, receiver, secret)
        const received =
          body instanceof AppError ? [refusal(body)] : decoded(receiver, sent, limits.callEvents)
        const items = received.flatMap((each, index) =>
          'event' in each ? [{ ...each, index }] : [],
        )
        slot.addEvents(items.length)
        const sender = rate ? (userKeyOf(caller) ?? networkOf(request)) : ''
        const rateHeaders = (await rate?.take(sender, items.length)) ?? {}
        const outcome = await begun.goOn(
          { receiver: receiver.name, by, body: sent.body },
          (stored) => storeAll(receiver, received, items, by, stored),
        )
        const answer = (receiver.respond ?? answerTo)(outcome, sent)
        if (answer.bytes)
          return bytesResponse(
            { ...answer, headers: rateHeaders },
            answer.mediaType ?? '',
            answer.bytes,
          )
        const { status, body: json } = answer
        return textResponse({ status, body: json, headers: rateHeaders })
      } catch (error) {
        const failure = failureOf(error)
        throw route.failureOf?.(failure, addressOf(request), null) ?? failure
      } finally {
        slot.leave()
      }
    },
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
