import type { Outbound, OutboundRequest } from '../outbound/outbound.ts'
import type { OutboundResponse } from '../outbound/outbound-response.ts'
import { inSpan, traceHeaders } from '../tracing/trace.ts'
import type { DeliveryAttempt, Tried } from './delivery.ts'

/** Measures an attempt that begins now. @returns makes its facts */
export function startAttempt(
  now: Date,
): (status: number | null, error: string | null) => DeliveryAttempt {
  const begin = performance.now()
  return (status, error) => ({
    started: now.toISOString(),
    status,
    error,
    durationMs: Math.round(performance.now() - begin),
  })
}

/**
 * Posts a delivery once.
 * @param explain why a receiver refused, where its body says so
 * @throws OutboundError where nothing came back
 */
export const post = (
  name: string,
  outbound: Pick<Outbound, 'send'>,
  request: Omit<OutboundRequest, 'method'>,
  facts: ReturnType<typeof startAttempt>,
  explain: (response: OutboundResponse) => Promise<string | null> = async () => null,
): Promise<Tried> =>
  inSpan(name, { kind: 'client' }, (span) => {
    const headers = { ...request.headers, ...traceHeaders() }
    return outbound.send({ ...request, headers, method: 'POST' }, async (response) => {
      const { status, headers: received } = response
      span?.set({ 'http.response.status_code': status })
      const [retryAfter] = [received['retry-after'] ?? []].flat()
      return { attempt: facts(status, await explain(response)), retryAfter }
    })
  })
