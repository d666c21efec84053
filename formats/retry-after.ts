/**
 * Milliseconds that the header `Retry-After` asks to wait: of seconds or a date, whose oldest form names no zone (RFC 9110,
 * 5.6.7 and 10.2.3). 0 for neither, and for what is over.
 */
export function retryAfterMs(header: string, nowMs: number): number {
  const text = header.trim()
  const ms = /^\d+$/.test(text)
    ? Number(text) * 1_000
    : Date.parse(text.replace(/( GMT)?$/, ' GMT')) - nowMs
  return Math.max(ms || 0, 0)
}
