import { readFileSync } from 'node:fs'
import type { Received } from '../../../formats/received/received.ts'
import type { Receiver, SenderRequest } from '../../../rest-bridge/receivers/receiver.ts'

/** A request as a real sender made it. */
export interface CapturedRequest {
  headers: Record<string, string>
  body: unknown
}

/** Requests of a real sender, in order. @param name of a file of test/senders */
export const captured = (name: string): CapturedRequest[] =>
  JSON.parse(readFileSync(`test/senders/${name}.json`, 'utf8')).requests

/** Decodes a request as a receiver does. */
export function receive(
  receiver: Receiver,
  body: unknown,
  rest: Partial<Omit<SenderRequest, 'body'>> = {},
): Received[] {
  const bytes = typeof body === 'string' ? body : JSON.stringify(body)
  return receiver.decode({
    body: Buffer.isBuffer(body) ? body : Buffer.from(bytes),
    headers: { 'content-type': 'application/json' },
    query: {},
    now: new Date('2026-11-28T03:01:20Z'),
    ...rest,
  })
}

/** The events of it. Fails for a refused item. */
export const eventsOf = (received: readonly Received[]) =>
  received.map((each) => {
    if ('refused' in each) throw new Error(each.refused)
    return each
  })
