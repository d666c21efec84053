import { setTimeout as delay } from 'node:timers/promises'
import { type ExecutionResult, GraphQLError, GraphQLSchema, parse } from 'graphql'
import type { ServerOptions, SubscribePayload } from 'graphql-ws'
import type { WebSocket } from 'ws'
import { AppError, failureExtensions } from '../../../formats/errors.ts'
import type { Context } from '../../../platform/access/caller.ts'
import type { PreparedOperation } from '../../federation/index.ts'
import type { Metrics } from '../../observability/metrics.ts'
import type { ClientOperations } from '../../operations/client-operations.ts'
import type { Given } from '../../sign-in/credential.ts'
import { stopping } from '../failures.ts'
import type { ContextOf } from '../graphql/context.ts'
import type { StreamSettings } from '../stream-settings.ts'
import { CLOSE } from './close-codes.ts'
import type { Opened } from './messages.ts'
import { SocketStream } from './stream.ts'

export interface SocketOperationsOptions {
  operations: ClientOperations
  contextOf: ContextOf
  settings: Pick<StreamSettings, 'maxPerSocket'>
  countClient: Metrics['countClient']
}

/** Source of an operation. */
interface Asked {
  id: string
  client: Opened
  connectionParams?: Given | undefined
}

/** Operation that graphql-ws carries from `onSubscribe` to `execute` and `subscribe`. */
export interface Prepared extends Asked {
  operation: PreparedOperation
  variables: Record<string, unknown>
  context: Context
}

type Subscribed = ReturnType<NonNullable<ServerOptions<Given, Opened>['onSubscribe']>>

/** Operations of all WebSockets. */
export class SocketOperations {
  /** Queries and mutations that have not been answered yet. */
  readonly #running = new Map<WebSocket, Set<string>>()
  #isStopping = false

  constructor(private readonly options: SocketOperationsOptions) {}

  /** @throws AppError OVERLOADED during a stop */
  requireServing(): void {
    if (this.#isStopping) throw new AppError('OVERLOADED', RESTARTS)
  }

  async prepare(payload: SubscribePayload, asked: Asked): Promise<Awaited<Subscribed>> {
    const { operations, contextOf, countClient } = this.options
    const { client, connectionParams } = asked
    const { socket, request, backpressure } = client
    await backpressure.wait()
    // The turns bound what a client has prepared at a time, too. What waits when it goes is not prepared.
    const operation = await backpressure.run(async () =>
      socket.closed ? [GONE] : operations.prepare(payload, request.caller),
    )
    if (client.client) countClient(client.client, 'run' in operation ? '200' : '400')
    // The client is gone, or about to reconnect.
    if (this.#isStopping || socket.closed) return [STOPPING]
    if (!('run' in operation)) return operation
    const context = contextOf(request, connectionParams)
    const prepared: Prepared = { ...asked, operation, variables: payload.variables ?? {}, context }
    // Only `contextValue` is read again; from the rest graphql-ws only learns the kind of operation.
    return {
      schema: NO_SCHEMA,
      document: DOCUMENT_OF[operation.kind],
      contextValue: prepared,
    }
  }

  run({ operation, variables, context, id, client }: Prepared): Promise<ExecutionResult> {
    const { socket, backpressure } = client
    const ids = this.#running.get(socket) ?? new Set()
    this.#running.set(socket, ids.add(id))
    return backpressure.run(async () =>
      socket.closed ? { errors: [GONE] } : operation.run(variables, context).catch(refusal),
    )
  }

  /** The turn of a subscription ends when its stream is open, or its subgraph takes long: others wait for it. */
  subscribe(prepared: Prepared) {
    const { operation, variables, context, id, client } = prepared
    // graphql-ws keeps it for as long as the stream goes on, of which the supergraph may be replaced meanwhile.
    delete (prepared as Partial<Prepared>).operation
    const { maxPerSocket } = this.options.settings
    const { socket, streams, backpressure } = client
    const { promise, resolve, reject } = Promise.withResolvers<SocketStream | ExecutionResult>()
    const open = async () => {
      if (socket.closed) return resolve({ errors: [GONE] })
      const events = await operation.subscribe(variables, context)
      if (!('deliverTo' in events)) return resolve(events)
      if (streams.size >= maxPerSocket) return resolve({ errors: [tooMany(maxPerSocket)] })
      const stream = new SocketStream(events, client, id, context.caller.requestId)
      resolve(stream)
      await Promise.race([stream.opened, delay(OPENING_MS, undefined, { ref: false })])
    }
    backpressure.run(open).catch(reject)
    return promise
  }

  answered(socket: WebSocket, id: string): void {
    const ids = this.#running.get(socket)
    if (!ids?.delete(id) || ids.size > 0) return
    this.#running.delete(socket)
    // Responses are on their way by then.
    if (this.#isStopping) setImmediate(() => socket.close(...CLOSE.restart))
  }

  forget(socket: WebSocket): void {
    this.#running.delete(socket)
  }

  /** Refuses operations, closes sockets that have none, and waits for those that run. */
  async stop(sockets: Iterable<WebSocket>): Promise<void> {
    this.#isStopping = true
    for (const socket of sockets) if (!this.#running.has(socket)) socket.close(...CLOSE.restart)
    const until = performance.now() + GRACE_MS
    while (this.#running.size > 0 && performance.now() < until) await delay(LOOK_MS)
    // Clients of graphql-ws repeat what a close leaves open, mutations as well.
    for (const [socket, ids] of this.#running)
      for (const id of ids) socket.send(JSON.stringify({ id, type: 'error', payload: [CUT] }))
  }
}

/** Time that a stop waits for queries and mutations. */
const GRACE_MS = 30_000
const LOOK_MS = 20
/** Time for which a stream that opens may keep others waiting. */
const OPENING_MS = 1_000

/** graphql-ws hands it on, and uses none. */
const NO_SCHEMA = new GraphQLSchema({})

/** graphql-ws takes the kind of an operation from its document; ours is prepared and needs no other. */
const DOCUMENT_OF = {
  query: parse('query { __typename }'),
  mutation: parse('mutation { __typename }'),
  subscription: parse('subscription { __typename }'),
} as const

/** Refusal of an operation before it ran. Other errors are faults of the product. */
const refusal = (error: unknown): ExecutionResult => {
  if (error instanceof GraphQLError) return { errors: [error] }
  throw error
}

const GONE = new GraphQLError('Nobody waits for this any more')

const RETRY = failureExtensions('OVERLOADED')

const tooMany = (max: number) =>
  new GraphQLError(
    `A WebSocket has at most ${max} open subscriptions (SUBSCRIPTION_MAX_PER_SOCKET): complete some, or open another WebSocket`,
    { extensions: RETRY },
  )

const RESTARTS = 'The server restarts; connect again'
const CUT = new GraphQLError(stopping().message, { extensions: RETRY })
const STOPPING = new GraphQLError(RESTARTS, { extensions: RETRY })
