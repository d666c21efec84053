import { GraphQLError } from 'graphql'
import { mapStream } from '../../platform/async/map-stream.ts'
import { METHOD_LABELS, outcomeOf, timersOf } from '../../platform/metrics/process-metrics.ts'
import type { Logger } from '../../platform/process/logger.ts'
import {
  inSpan,
  inTrace,
  type OpenSpan,
  startSpan,
  withinSpan,
} from '../../platform/tracing/trace.ts'
import type { OperationObserver, SubgraphLink } from '../federation/index.ts'
import { firstOfSecond } from '../http/held-back.ts'
import { type HttpRequest, pathOf } from '../http/http-message.ts'
import { type ClientName, clientNameIn } from './client-name.ts'
import type { Metrics } from './metrics.ts'

export interface RequestObserverOptions {
  metrics: Pick<Metrics, 'requests' | 'countClient'>
  log: Logger
  /** ACCESS_LOG */
  accessLog: number
}

/** One request, from its arrival until it is answered or its client is gone. */
export interface ObservedRequest {
  /** Runs its handler, so that all that it does belongs to the trace of the request. */
  handle(run: () => void): void
  end(status: number): void
}

/** Lines a second about refused requests: a flood would fill the log. */
const REFUSALS_A_SECOND = 10

/** Chooses the refusals that are logged. @returns how many were not, before this one; null for one that is not */
function refusalSampler(): () => number | null {
  const isLogged = firstOfSecond(REFUSALS_A_SECOND)
  let unlogged = 0
  return () => {
    if (!isLogged()) {
      unlogged++
      return null
    }
    const before = unlogged
    unlogged = 0
    return before
  }
}

/** Parts that the observers of all requests share. */
interface Observing extends RequestObserverOptions {
  sample: ReturnType<typeof refusalSampler>
  durationOf: ReturnType<typeof timersOf>
  lines: Logger
}

/**
 * Measures, logs and traces requests.
 * @param route a pattern @param isProbe asked for by operators' programs, again and again
 */
export function requestObserver({ metrics, log, accessLog }: RequestObserverOptions) {
  const observing: Observing = {
    ...{ metrics, log, accessLog },
    sample: refusalSampler(),
    durationOf: timersOf(metrics.requests),
    // Its fields are named below, and none holds a secret. To look for secrets takes longer than to write the line.
    lines: log.child({}, { redact: [] }),
  }
  return (request: HttpRequest, route: string, isProbe: boolean): ObservedRequest =>
    new RequestObservation(observing, request, route, isProbe)
}

class RequestObservation implements ObservedRequest {
  readonly #began = performance.now()
  readonly #writtenBefore: number
  readonly #method: string
  readonly #named: ClientName | undefined
  readonly #span: OpenSpan | undefined

  constructor(
    private readonly observing: Observing,
    private readonly request: HttpRequest,
    private readonly route: string,
    private readonly isProbe: boolean,
  ) {
    this.#writtenBefore = request.bytesWritten
    this.#method = METHOD_LABELS.has(request.method) ? request.method : 'other'
    const named = route === '/graphql' ? clientNameIn(request.headers) : undefined
    this.#named = named
    this.#span = startSpan(`${this.#method} ${route}`, {
      kind: 'server',
      attributes: {
        'http.request.method': this.#method,
        'http.route': route,
        ...(named && {
          'graphql.client.name': named.client,
          'graphql.client.version': named.version,
        }),
      },
      traceparent: request.traceparent,
      isRoot: !isProbe,
    })
    if (this.#span) request.traceparent = this.#span.traceparent
  }

  handle(run: () => void): void {
    inTraceOf(this.request, this.#span, run)
  }

  end(status: number): void {
    inTraceOf(this.request, this.#span, () => this.#report(status))
    this.#span?.set({ 'http.response.status_code': status })
    this.#span?.end(status >= 500 ? String(status) : undefined)
  }

  #report(status: number): void {
    const { request, route, isProbe } = this
    const { metrics, durationOf, sample, lines, log, accessLog } = this.observing
    const named = this.#named
    const ms = performance.now() - this.#began
    durationOf(this.#method, route, String(status)).observe(ms / 1_000)
    if (named) metrics.countClient(named, String(status))
    const isRefused = status === 503
    const isFault = status >= 500 && !(isProbe && isRefused) // a probe that finds it not ready works
    const unlogged = isRefused && !isProbe ? sample() : 0
    if (unlogged === null) return
    const isChosen = !isProbe && (accessLog === 1 || Math.random() < accessLog)
    const { requestId, caller, url } = request
    lines[isFault ? 'error' : isChosen ? 'info' : 'debug'](
      {
        requestId,
        method: request.method,
        route,
        ...((isFault || log.isLevelEnabled('debug')) && { path: pathOf(url) }),
        status,
        ms: Math.round(ms),
        bytes: request.bytesWritten - this.#writtenBefore,
        ...(caller.account && { account: caller.account }),
        ...named,
        ...(unlogged > 0 && { unlogged }),
      },
      'Request',
    )
  }
}

/** Without a trace there is nothing to keep. */
const inTraceOf = (request: HttpRequest, span: OpenSpan | undefined, run: () => void): void =>
  request.traceparent ? inTrace(request, () => withinSpan(span, run)) : run()

/** Counts and traces the operations that are prepared and run. */
export const operationMetrics = ({
  nameOf,
  operations,
  planHits,
  plans,
  subscriptions,
}: Metrics): OperationObserver => ({
  preparing: (prepare) => inSpan('prepare', {}, prepare),
  prepared: (seconds) => plans.observe(seconds),
  reused: () => planHits.inc(),
  of(given, kind) {
    const name = nameOf(given)
    const attributes = {
      'graphql.operation.type': kind,
      ...(given && { 'graphql.operation.name': given }),
    }
    const timers = {
      ok: operations.labels({ name, kind, outcome: 'ok' }),
      partial: operations.labels({ name, kind, outcome: 'partial' }),
      failed: operations.labels({ name, kind, outcome: 'failed' }),
    }
    return {
      running: ({ traceparent }, run) =>
        inSpan(`${kind} ${name}`, { isRoot: true, traceparent, attributes }, run),
      planned: (run) => inSpan('plan', {}, run),
      ran: (result, seconds) => timers[outcomeOf(result)].observe(seconds),
      subscribed() {
        subscriptions.inc({ name })
        return () => subscriptions.dec({ name })
      },
    }
  },
})

/** Word for a code, such as `timeout` of DOWNSTREAM_TIMEOUT. */
function failureOf(error: unknown): string {
  const code = error instanceof GraphQLError ? error.extensions.code : undefined
  const [, failure = 'failed'] = /^DOWNSTREAM_(\w+)$/.exec(String(code)) ?? []
  return failure.toLowerCase()
}

/** A link that counts and traces what goes over it. */
export function measuredLink(link: SubgraphLink, { fetches, streams }: Metrics): SubgraphLink {
  const { name: subgraph } = link
  const durationOf = timersOf(fetches)
  return {
    ...link,
    async execute(request, context) {
      const { kind } = request
      const began = performance.now()
      const count = (outcome: string) =>
        durationOf(subgraph, kind, outcome).observe((performance.now() - began) / 1_000)
      const fetch = { kind: 'client', attributes: { 'graphql.operation.type': kind } } as const
      try {
        const result = await inSpan(`fetch ${subgraph}`, fetch, () =>
          link.execute(request, context),
        )
        count(result.errors ? 'errors' : 'ok')
        return result
      } catch (error) {
        count(failureOf(error))
        throw error
      }
    },
    async subscribe(request, context) {
      const stream = await link.subscribe(request, context)
      streams.inc({ subgraph })
      return mapStream(
        stream,
        async (result) => result,
        () => streams.dec({ subgraph }),
      )
    },
  }
}
