import type { ExecutionResult } from 'graphql'
import { Agent, type Dispatcher, request as requestOver } from 'undici'
import type { Context } from '../../../platform/access/caller.ts'
import type { JsonReader } from '../json-reader.ts'
import { BodyTooLong } from './http/response-reader.ts'
import type { Introduction } from './introduction.ts'
import { bodyOf, type LinkOptions, type PlannedRequest } from './link.ts'

export interface SubgraphSseOptions extends Pick<LinkOptions, 'tls'> {
  url: string
  introduction: Pick<Introduction, 'of'>
  /** Time for a subgraph to begin a stream. */
  silenceMs: number
  /** Characters of one event. */
  maxBody: number
  json: Pick<JsonReader, 'parse'>
}

/** The answer to a subscription is no stream of events. */
export class StreamRefused extends Error {
  override name = 'StreamRefused'
}

/** Subscriptions of a subgraph over Server-Sent Events (graphql-sse, distinct connections mode): a request for each. */
export function subgraphSse({
  url,
  introduction,
  silenceMs,
  maxBody,
  json,
  tls,
}: SubgraphSseOptions) {
  const agent = new Agent({
    headersTimeout: silenceMs,
    bodyTimeout: 0,
    ...(tls && { connect: tls }),
  })

  return {
    async subscribe(
      request: PlannedRequest,
      context: Context,
    ): Promise<AsyncIterableIterator<unknown>> {
      const ending = new AbortController()
      const options = {
        method: 'POST',
        headers: {
          ...(await introduction.of(context)),
          'content-type': 'application/json',
          accept: 'text/event-stream',
          'x-request-id': context.caller.requestId,
        },
        body: bodyOf(request),
        dispatcher: agent,
        signal: ending.signal,
      } as const
      const results = resultsOf(() => requestOver(url, options), maxBody, json)
      // A generator that waits for its stream would be left only by the next event.
      const stream: AsyncIterableIterator<unknown> = {
        next: () => results.next(),
        async return() {
          ending.abort()
          return { done: true, value: undefined }
        },
        [Symbol.asyncIterator]: () => stream,
      }
      return stream
    },
    stop: () => agent.destroy(),
  }
}

async function* resultsOf(
  send: () => Promise<Dispatcher.ResponseData>,
  maxBody: number,
  json: Pick<JsonReader, 'parse'>,
): AsyncGenerator<unknown, void> {
  const { statusCode, headers, body } = await send()
  if (statusCode !== 200 || !/^text\/event-stream\b/.test(String(headers['content-type']))) {
    body.destroy()
    body.on('error', () => {}) // it is left unread
    throw new StreamRefused(`status ${statusCode}, ${headers['content-type'] ?? 'no media type'}`)
  }
  let isComplete = false
  for await (const { event, data } of eventsOf(body, maxBody)) {
    if (event === 'complete') {
      isComplete = true
      break
    }
    if (event === 'next') yield json.parse(data) as ExecutionResult // judged where it is used
  }
  if (!isComplete) throw new Error('The stream ended before it was complete')
}

/** Reads Server-Sent Events; ids and comments are skipped. @throws BodyTooLong */
async function* eventsOf(
  body: AsyncIterable<Buffer>,
  most: number,
): AsyncGenerator<{ event: string; data: string }, void> {
  const decoder = new TextDecoder()
  let event = ''
  let data: string[] = []
  let length = 0
  let rest = ''
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true })
    // A long line comes in many chunks, and is not searched again for each of them.
    const lines = /[\r\n]/.test(text) ? (rest + text).split(/\r\n|\n|\r(?!$)/) : [rest + text]
    rest = lines.pop() ?? ''
    if (length + rest.length > most) throw new BodyTooLong(most)
    for (const line of lines) {
      const [, field, value = ''] = /^(\w+):? ?(.*)$/s.exec(line) ?? []
      length += line.length
      if (length > most) throw new BodyTooLong(most)
      if (field === 'event') event = value
      if (field === 'data') data.push(value)
      if (line !== '') continue
      if (event !== '' || data.length > 0) yield { event: event || 'next', data: data.join('\n') }
      event = ''
      data = []
      length = 0
    }
  }
}
