import type { Writable } from 'node:stream'
import type { ExecutionResult } from 'graphql'
import { AppError } from '../../../formats/errors.ts'
import type { LiveEvent, OperationResult, Subscriber } from '../../federation/index.ts'
import type { ClientOperations } from '../../operations/client-operations.ts'
import type { StreamEnd, WatchSignIn } from '../../sign-in/watch-sign-in.ts'
import type { NoteSent } from '../connection-bounds.ts'
import { stopping } from '../failures.ts'
import type { HttpRequest, StreamResponse } from '../http-message.ts'
import type { StreamSettings } from '../stream-settings.ts'
import { whenExpired } from '../websocket/close-codes.ts'
import type { ContextOf } from './context.ts'
import { type Incremental, incrementalFor } from './incremental.ts'
import { Reader, unacknowledged } from './lost-readers.ts'
import { checkedParams } from './params.ts'
import { failureOfStream, textFor } from './response-text.ts'
import { SERVER_SENT_EVENTS, type StreamFormat } from './stream-format.ts'

/** Time for a client to read why its stream ends. */
const FAREWELL_MS = 2_000

export interface SseOptions {
  operations: ClientOperations
  contextOf: ContextOf
  settings: Pick<StreamSettings, 'keepAliveMs'>
  watch: WatchSignIn
  noteSent: NoteSent
}

/**
 * GraphQL over Server-Sent Events (graphql-sse, distinct connections mode): an operation, asked for as over HTTP but
 * with `Accept: text/event-stream`, is answered by `next` events and a `complete`. Faults of the request are `next`
 * events as well, because the browser's EventSource shows no other answer. Multipart subscriptions differ in their format
 * alone.
 */
export class GraphqlSse {
  readonly #open = new Set<ResponseStream>()
  readonly #pulse: NodeJS.Timeout

  constructor(private readonly options: SseOptions) {
    const { keepAliveMs } = options.settings
    this.#pulse = setInterval(() => void this.#look(), keepAliveMs).unref()
  }

  /** Answers a request. @param given its parameters, unchecked */
  respond(request: HttpRequest, given: unknown, format = SERVER_SENT_EVENTS): StreamResponse {
    return {
      status: 200,
      headers: format.headers,
      stream: (body) => void this.#answer(request, given, body, format),
    }
  }

  /** Sends a result of which parts come later. */
  deliver(request: HttpRequest, result: OperationResult, incremental: Incremental): StreamResponse {
    const { format } = incremental
    return {
      status: 200,
      headers: { ...result.headers, ...format.headers },
      stream: (body) => void this.#opened(request, body, format).deliver(result, incremental),
    }
  }

  /** Ends the streams without `complete`: clients take it as a lost connection and come back. */
  async stop(): Promise<void> {
    clearInterval(this.#pulse)
    for (const stream of this.#open) stream.cut()
  }

  /** Ends what still runs, as the server stops now. */
  giveUp(): void {
    for (const stream of this.#open) stream.end(stopping())
  }

  async #look(): Promise<void> {
    if (this.#open.size === 0) return
    const silent = await unacknowledged()
    for (const stream of this.#open) stream.look(silent)
  }

  #opened(
    { requestId, caller }: Pick<HttpRequest, 'requestId' | 'caller'>,
    body: Writable,
    format: StreamFormat,
  ): ResponseStream {
    const stream = new ResponseStream(body, requestId, this.options.noteSent, format)
    this.#open.add(stream)
    const callOff = whenExpired(caller, () =>
      stream.end(new AppError('UNAUTHENTICATED', 'The credentials have expired')),
    )
    body.once('close', () => {
      this.#open.delete(stream)
      callOff()
      stream.leave?.()
    })
    return stream
  }

  async #answer(
    request: HttpRequest,
    given: unknown,
    body: Writable,
    format: StreamFormat,
  ): Promise<void> {
    if (body.closed) return
    const { operations, contextOf, watch } = this.options
    const context = contextOf(request)
    const { requestId } = request
    const stream = this.#opened({ requestId, caller: context.caller }, body, format)
    try {
      const params = checkedParams(request, given)
      const variables = params.variables ?? {}
      const operation = await operations.prepare(params, context.caller)
      if (!('run' in operation)) return stream.finish({ errors: operation })
      if (operation.kind === 'mutation' && request.method === 'GET')
        throw new AppError('METHOD_NOT_ALLOWED', 'Mutations are taken by POST')
      if (operation.kind !== 'subscription') {
        stream.begin() // an execute may wait for long: it shows life meanwhile
        const incremental = operation.isDeferred ? incrementalFor(request.headers) : undefined
        const result = await operation.run(variables, context, incremental !== undefined)
        if (incremental && result.rest) return await stream.deliver(result, incremental)
        return stream.finish(result, result.text)
      }
      const events = await operation.subscribe(variables, context)
      if (!('deliverTo' in events)) return stream.finish(events)
      if (body.closed) return
      stream.leave = events.deliverTo(stream).leave
      stream.begin()
      body.once(
        'close',
        watch(request, null, (why) => stream.end(endOf(why))),
      )
      body.once(
        'close',
        request.onceClientEnded(() => stream.giveUp(clientEnded())),
      )
    } catch (error) {
      stream.end(error)
    }
  }
}

const endOf = (why: StreamEnd): AppError =>
  why === 'revoked'
    ? new AppError('UNAUTHENTICATED', 'The sign-in of this stream has ended: sign in again')
    : new AppError(
        'OVERLOADED',
        'The sign-in of this stream could not be checked for too long (SIGN_IN_GRACE_SECONDS): subscribe again',
      )

const clientEnded = (): AppError =>
  new AppError(
    'BAD_USER_INPUT',
    'The client closed its side of the connection: keep it open for as long as it reads events',
  )

/**
 * One answer. It is a subscriber of the events that it passes on. The headers of a subscription go out once it stands,
 * so that a client which has them misses nothing of what comes then.
 */
class ResponseStream implements Subscriber {
  /** Leaves the stream that it is subscribed to. */
  leave: (() => void) | undefined
  readonly #reader: Reader
  #hasBegun = false

  constructor(
    private readonly body: Writable,
    private readonly requestId: string,
    private readonly noteSent: NoteSent,
    private readonly format: StreamFormat,
  ) {
    this.#reader = new Reader(body)
  }

  begin(): void {
    if (this.#hasBegun || this.body.writableEnded) return
    this.#hasBegun = true
    this.body.write(this.format.begin)
  }

  /** Shows life to its reader, and ends with it. */
  look(silent: ReadonlySet<number>): void {
    if (!this.#reader.isLost(silent)) this.#showLife()
    else if (this.waitingBytes() > 0) this.tooSlow()
    else this.body.destroy()
  }

  #showLife(): void {
    if (this.#hasBegun && this.body.writableLength === 0 && !this.body.writableEnded)
      this.body.write(this.format.life)
  }

  event(event: Pick<LiveEvent, 'result' | 'text'>): void {
    this.#write(textFor(event, this.requestId))
  }

  /** Passes on the parts of a result as they come, for as long as its client is there. */
  async deliver(result: OperationResult, { writer }: Incremental): Promise<void> {
    const { rest } = result
    if (!rest) return this.finish(result)
    const parts = writer(this.requestId)
    this.#write(JSON.stringify(parts.first(result, rest)))
    try {
      for await (const payload of rest.payloads()) {
        if (this.body.writableEnded || this.body.destroyed) return
        this.#write(JSON.stringify(parts.next(payload)))
      }
      this.end()
    } catch (error) {
      this.end(error)
    }
  }

  #write(text: string): void {
    if (this.body.writableEnded) return
    this.begin()
    this.body.write(this.format.result(text), this.noteSent(this.body, text))
  }

  finish(result: ExecutionResult, text = JSON.stringify(result)): void {
    this.event({ result, text })
    this.end()
  }

  end(error?: unknown): void {
    this.begin()
    if (error !== undefined) {
      const result = { errors: [failureOfStream(error)] }
      const text = textFor({ result, text: '' }, this.requestId)
      if (!this.body.writableEnded) this.body.write(this.format.failure(text))
    }
    if (!this.body.writableEnded) this.body.end(this.format.end)
  }

  waitingBytes(): number {
    return this.body.writableLength
  }

  tooSlow(): void {
    this.giveUp(
      new AppError('SLOW_CONSUMER', 'Too much was left unread; continue from the last cursor'),
    )
  }

  /** Ends it, even if the client does not read why. */
  giveUp(why: AppError): void {
    this.end(why)
    const cut = setTimeout(() => this.body.destroy(), FAREWELL_MS).unref()
    this.body.once('close', () => clearTimeout(cut))
  }

  cut(): void {
    if (this.leave) this.body.end()
  }
}
