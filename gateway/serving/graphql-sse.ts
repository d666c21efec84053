import type { Request, RequestHandler, Response } from 'express'
import type { ExecutionResult } from 'graphql'
import { AppError } from '../../schema/errors.ts'
import type { LiveEvent, Subscriber } from '../federation/index.ts'
import type { ClientOperations } from '../operations/client-operations.ts'
import type { StreamEnd, WatchSignIn } from '../sign-in/watch-sign-in.ts'
import { whenExpired } from './close-codes.ts'
import type { ContextOf } from './context-of.ts'
import { operationNameOf, paramsOf, variablesOf } from './graphql-request.ts'
import { failureOfStream, textFor } from './response-text.ts'
import type { StreamSettings } from './stream-settings.ts'

const MEDIA_TYPE = 'text/event-stream'
/** How long a client that is too slow may take to read that it is. */
const FAREWELL_MS = 2_000

/**
 * GraphQL over Server-Sent Events (graphql-sse, distinct connections mode): an operation, asked for as over HTTP but
 * with `Accept: text/event-stream`, is answered by `next` events and a `complete`. Faults of the request are `next`
 * events as well, because the browser's EventSource tells nothing of another answer.
 */
export function createGraphqlSse(
  operations: ClientOperations,
  contextOf: ContextOf,
  { keepAliveMs }: StreamSettings,
  watch: WatchSignIn = () => () => {},
): { handler: RequestHandler; stop(): Promise<void> } {
  const open = new Set<ResponseStream>()
  const pulse = setInterval(() => {
    for (const stream of open) stream.showLife()
  }, keepAliveMs).unref()

  async function answer(request: Request, response: Response): Promise<void> {
    const context = contextOf(request)
    const stream = new ResponseStream(response, context.caller.requestId)
    open.add(stream)
    const callOff = whenExpired(context.caller, () =>
      stream.end(new AppError('UNAUTHENTICATED', 'The credentials have expired')),
    )
    response.once('close', () => {
      open.delete(stream)
      callOff()
      stream.leave?.()
    })
    try {
      const params = paramsOf(request)
      const variables = variablesOf(request)
      const operation = await operations.prepareRequest({
        ...params,
        operationName: operationNameOf(params),
      })
      if (!('run' in operation)) return stream.finish({ errors: operation })
      if (operation.kind === 'mutation' && request.method === 'GET')
        throw new AppError('METHOD_NOT_ALLOWED', 'Mutations are taken by POST')
      if (operation.kind !== 'subscription')
        return stream.finish(await operation.run(variables, context))
      const events = await operation.subscribe(variables, context)
      if (!('deliverTo' in events)) return stream.finish(events)
      if (response.closed) return
      stream.leave = events.deliverTo(stream)
      response.once(
        'close',
        watch(request, null, (why) => stream.end(endOf(why))),
      )
    } catch (error) {
      stream.end(error)
    }
  }

  return {
    handler: (request, response, next) => {
      if (!request.headers.accept?.includes(MEDIA_TYPE)) return next()
      return answer(request, response)
    },
    /** Ends the streams without `complete`: clients take it as a lost connection and come back. */
    async stop() {
      clearInterval(pulse)
      for (const stream of open) stream.cut()
    },
  }
}

const endOf = (why: StreamEnd): AppError =>
  why === 'revoked'
    ? new AppError('UNAUTHENTICATED', 'The sign-in of this stream has ended: sign in again')
    : new AppError(
        'OVERLOADED',
        'The sign-in of this stream could not be checked for too long (SIGN_IN_GRACE_SECONDS): subscribe again',
      )

/** One answer. It is a subscriber of the events that it passes on. */
class ResponseStream implements Subscriber {
  /** How to leave what it is subscribed to. */
  leave: (() => void) | undefined

  constructor(
    private readonly response: Response,
    private readonly requestId: string,
  ) {
    response.writeHead(200, {
      'Content-Type': `${MEDIA_TYPE}; charset=utf-8`,
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no', // proxies of the nginx family would hold events back
    })
    this.showLife()
  }

  showLife(): void {
    if (this.response.writableLength === 0 && !this.response.writableEnded)
      this.response.write(':\n\n')
  }

  event(event: Pick<LiveEvent, 'result' | 'text'>): void {
    if (!this.response.writableEnded)
      this.response.write(`event: next\ndata: ${textFor(event, this.requestId)}\n\n`)
  }

  finish(result: ExecutionResult): void {
    this.event({ result, text: JSON.stringify(result) })
    this.end()
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      const result = { errors: [failureOfStream(error)] }
      this.event({ result, text: '' })
    }
    if (!this.response.writableEnded) this.response.end('event: complete\ndata:\n\n')
  }

  waitingBytes(): number {
    return this.response.writableLength
  }

  tooSlow(): void {
    this.end(
      new AppError('SLOW_CONSUMER', 'Too much was left unread; continue from the last cursor'),
    )
    const cut = setTimeout(() => this.response.destroy(), FAREWELL_MS).unref()
    this.response.once('close', () => clearTimeout(cut))
  }

  cut(): void {
    if (this.leave) this.response.end()
  }
}
