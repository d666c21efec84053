import type { Dispatcher } from 'undici'
import { OwnTurns } from '../load/load.ts'
import type { OutboundError } from './outbound-error.ts'

/** An answer whose headers are there. */
export interface OutboundResponse {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /**
   * Reads the body up to a bound; the rest is never received.
   * @throws OutboundError when it ends early or takes too long
   */
  read(maxBytes: number): Promise<{ bytes: Buffer; isWhole: boolean }>
}

/** Large bodies that arrive together are put together, and then mostly decoded, one in a turn: each takes milliseconds. */
const LARGE_BYTES = 64 * 1024
const turns = new OwnTurns()

export function responseOf(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  explain: (error: unknown) => OutboundError,
): OutboundResponse {
  // An unread body ends with its connection, which is no error.
  body.on('error', () => {})
  return {
    status: statusCode,
    headers,
    async read(maxBytes) {
      const chunks: Buffer[] = []
      let size = 0
      try {
        for await (const chunk of body as AsyncIterable<Buffer>) {
          chunks.push(chunk)
          size += chunk.length
          if (size > maxBytes) break
        }
      } catch (error) {
        throw explain(error)
      }
      if (size > LARGE_BYTES) await turns.begin(body)
      return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isWhole: size <= maxBytes }
    },
  }
}
