import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { type Caller, ownerOf } from '../access/caller.ts'

/** Values are facts about the work, such as states and counts: never what clients wrote, which may be secret. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer'
  attributes?: Attributes
  /** The parent, where no span is open here: of a process before this one. */
  traceparent?: string | undefined
  /** Begins a trace where there is no parent; others are part of one or nothing. */
  isRoot?: boolean
}

/** A span that has begun. */
export interface OpenSpan {
  readonly traceparent: string
  readonly isEnded: boolean
  set(attributes: Attributes): void
  /** @param fault what it failed with; only its name or code is kept */
  end(fault?: unknown): void
}

/** Maker of spans: the SDK of OpenTelemetry, once it is started. */
export interface Tracer {
  start(name: string, options: SpanOptions, traceparent: string | undefined): OpenSpan
}

export interface RequestIds {
  requestId?: string | undefined
  /** As it came in. */
  traceparent?: string | undefined
}

/** Scope of all work of a request, over processes: also without a tracer. */
interface Scope extends RequestIds {
  span?: OpenSpan | undefined
  /** Operation of a subgraph that is being run. */
  operation?: OperationScope | undefined
}

/** A key for what the fields of one operation of a subgraph share. */
export interface OperationScope {
  /** Owner of the request, as far as it is known; undefined otherwise. */
  owner: string | undefined
}

const scopes = new AsyncLocalStorage<Scope>()
let tracer: Tracer | undefined

/** Spans are made from now on; without it, they cost a comparison. @param given undefined ends it */
export const useTracer = (given: Tracer | undefined): void => {
  tracer = given
}

/** The parent of what is asked of other processes now; undefined outside of a trace. */
export function currentTraceparent(): string | undefined {
  const scope = scopes.getStore()
  return scope?.span?.traceparent ?? scope?.traceparent
}

/** Headers of traces for a request to another process. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent()
  return traceparent ? { traceparent } : {}
}

/** For log lines. */
export function currentTraceId(): string | undefined {
  const traceparent = currentTraceparent()
  return traceparent && idsOf(traceparent).traceId
}

/** Ids that a job takes along: those of the request that enqueues it. */
export function currentIds(): { requestId?: string; traceparent?: string } {
  const requestId = scopes.getStore()?.requestId
  const traceparent = currentTraceparent()
  return { ...(requestId && { requestId }), ...(traceparent && { traceparent }) }
}

/** Runs work of a request that this process took over: an operation, or a job. An open span stays its parent. */
export const inTrace = <Result>(ids: RequestIds, run: () => Result): Result =>
  scopes.run(scopeOf(ids, scopes.getStore()?.operation), run)

/** Runs one operation of a subgraph, so that all that it does is known as one: see `currentOperation`. */
export const asOperation = <Result>(run: () => Result, caller: Partial<Caller> = {}): Result =>
  scopes.run(scopeOf(caller, { owner: ownerOf(caller) }), run)

function scopeOf({ requestId, traceparent }: RequestIds, operation?: OperationScope): Scope {
  const span = scopes.getStore()?.span
  return { requestId, traceparent, span: span?.isEnded ? undefined : span, operation }
}

/** The operation that is being run; undefined outside of one. */
export const currentOperation = (): OperationScope | undefined => scopes.getStore()?.operation

/** Begins a span that others end; undefined without a tracer, or outside of a trace. */
export function startSpan(name: string, options: SpanOptions = {}): OpenSpan | undefined {
  if (!tracer) return undefined
  const scope = scopes.getStore()
  // Loops that a request woke up outlive it: what they do later belongs to others.
  const open = scope?.span?.isEnded ? undefined : scope?.span?.traceparent
  const parent = open ?? options.traceparent ?? (scope?.span ? undefined : scope?.traceparent)
  return parent || options.isRoot ? tracer.start(name, options, parent) : undefined
}

/** Runs something below a span that is open. */
export const withinSpan = <Result>(span: OpenSpan | undefined, run: () => Result): Result =>
  span ? scopes.run({ ...scopes.getStore(), span }, run) : run()

/** Runs something as a span of the trace; it ends, or fails, with it. Without a trace nothing is added to it. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  run: (span: OpenSpan | undefined) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options)
  return span ? runWithin(span, run) : run(undefined)
}

async function runWithin<Result>(
  span: OpenSpan,
  run: (span: OpenSpan) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await withinSpan(span, () => run(span))
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

const REQUEST_ID = /^[\w.:-]{1,128}$/

/** Id in the header `X-Request-Id`, or a new one where that is nothing that can stand in a log line. */
export const requestIdOf = (given: unknown): string =>
  typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()

/** Version 00 of W3C Trace Context: trace id, id of the parent span, flags; neither id is all zeros. */
const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/

/** The header `traceparent` of a request; undefined where it says nothing that can be passed on. */
export const traceparentOf = (given: unknown): string | undefined =>
  typeof given === 'string' && TRACEPARENT.test(given) ? given : undefined

export interface SpanIds {
  traceId: string
  spanId: string
  flags: number
}

/** The parts of a `traceparent` that was checked. */
export function idsOf(traceparent: string): SpanIds {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent) ?? []
  return { traceId, spanId, flags: Number.parseInt(flags, 16) }
}

export const traceparentFrom = ({ traceId, spanId, flags }: SpanIds): string =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`
