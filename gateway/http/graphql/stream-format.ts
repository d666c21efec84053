import type { Headers } from '../http-message.ts'

/** Format in which results of a stream are written to its response. */
export interface StreamFormat {
  headers: Readonly<Record<string, string>>
  /** Opens the stream. */
  begin: string
  /** Shows life, and says nothing. */
  life: string
  /** @param json a result */
  result(json: string): string
  /** @param json errors that end the stream, as a result */
  failure(json: string): string
  end: string
}

const COMMON = {
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no', // proxies of the nginx family would hold events back
}

/** graphql-sse, distinct connections mode. */
export const SERVER_SENT_EVENTS: StreamFormat = {
  headers: { 'Content-Type': 'text/event-stream; charset=utf-8', ...COMMON },
  begin: ':\n\n',
  life: ':\n\n',
  result: (json) => `event: next\ndata: ${json}\n\n`,
  failure: (json) => `event: next\ndata: ${json}\n\n`,
  end: 'event: complete\ndata:\n\n',
}

/** Clients read a part once the boundary behind it is there. */
const part = (json: string) => `\r\nContent-Type: application/json\r\n\r\n${json}\r\n--graphql`

/** Apollo's multipart subscriptions (subscriptionSpec=1.0): each result in `payload`, fatal errors beside it. */
export const MULTIPART: StreamFormat = {
  headers: { 'Content-Type': 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0', ...COMMON },
  begin: '\r\n--graphql',
  life: part('{}'),
  result: (json) => part(`{"payload":${json}}`),
  failure: (json) => part(`{"payload":null,${json.slice(1)}`),
  end: '--\r\n',
}

const MORE = '"hasNext":'

/** The same for a result with `@defer`. Every payload says if there is more. @param spec as `Accept` names it */
export const deferredMultipart = (spec: string): StreamFormat => ({
  headers: { 'Content-Type': `multipart/mixed;boundary="graphql";${spec}`, ...COMMON },
  begin: MULTIPART.begin,
  life: part(`{${MORE}true}`),
  result: part,
  failure: (json) => part(lastOf(json)),
  end: MULTIPART.end,
})

export const deferredEvents: StreamFormat = {
  ...SERVER_SENT_EVENTS,
  failure: (json) => SERVER_SENT_EVENTS.failure(lastOf(json)),
}

const lastOf = (json: string): string => `${json.slice(0, -1)},${MORE}false}`

/** True for a client that names multipart subscriptions. */
export const takesMultipart = ({ accept = '' }: Pick<Headers, 'accept'>): boolean =>
  /multipart\/mixed[^,]*;\s*subscriptionSpec\s*=\s*"?1\.0"?\s*(?:[;,]|$)/i.test(accept)
