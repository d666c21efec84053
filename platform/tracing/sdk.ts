import {
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from '../process/logger.ts'
import { VERSION } from '../process/version.ts'
import { traceStatements } from './sql-spans.ts'
import { idsOf, type OpenSpan, type SpanOptions, traceparentFrom, useTracer } from './trace.ts'

export interface SdkOptions {
  /** Address of the collector, without `/v1/traces`. */
  endpoint: string
  headers: Record<string, string>
  service: string
  /** Part of the traces that begin here, from 0 to 1. */
  ratio: number
  log: Logger
}

const KINDS: Readonly<Record<NonNullable<SpanOptions['kind']>, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

/** A collector that is away holds up neither work nor a stop for longer. */
const EXPORT_MS = 5_000

/** Starts the SDK of OpenTelemetry. Loaded only where traces are exported. @returns exports what waits, and stops it */
export function startSdk({
  endpoint,
  headers,
  service,
  ratio,
  log,
}: SdkOptions): () => Promise<void> {
  diag.setLogger(reportTo(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_MS })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': VERSION }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS })],
  })
  const tracer = provider.getTracer('assay', VERSION)
  useTracer({
    start(name, { kind, attributes = {} }, traceparent) {
      const options = { kind: kind ? KINDS[kind] : SpanKind.INTERNAL, attributes }
      const span = tracer.startSpan(name, options, contextOf(traceparent))
      const { traceId, spanId, traceFlags } = span.spanContext()
      let isEnded = false
      const open: OpenSpan = {
        traceparent: traceparentFrom({ traceId, spanId, flags: traceFlags }),
        get isEnded() {
          return isEnded
        },
        set: (given) => void span.setAttributes(given),
        end(fault) {
          if (isEnded) return
          isEnded = true
          if (fault !== undefined)
            span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(fault) })
          span.end()
        },
      }
      return open
    },
  })
  const untrace = traceStatements()
  return async () => {
    untrace()
    useTracer(undefined)
    await provider
      .shutdown()
      .catch((err) => log.warn({ reason: nameOf(err) }, 'The last spans were not exported'))
    diag.disable()
  }
}

function contextOf(traceparent: string | undefined) {
  if (!traceparent) return ROOT_CONTEXT
  const { traceId, spanId, flags } = idsOf(traceparent)
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true })
}

/** Messages quote what clients wrote; codes do not. */
function nameOf(fault: unknown): string {
  if (typeof fault === 'string') return fault
  if (!(fault instanceof Error)) return 'Error'
  return 'code' in fault && typeof fault.code === 'string' ? fault.code : fault.name
}

/** Logs messages of the SDK, which are about its collector. */
function reportTo(log: Logger) {
  const warn = (message: string) => log.warn({ reason: message }, 'Traces cannot be exported')
  const ignore = () => {}
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore }
}
