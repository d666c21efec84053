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
