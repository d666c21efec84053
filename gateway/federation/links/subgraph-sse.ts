import type { Readable } from 'node:stream'
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
  /** Silence on an open stream of a subgraph that sends comments to show life. */
  quietMs?: number
  /** Characters of one event. */
  maxBody: number
  json: Pick<JsonReader, 'parse'>
}

/** Three keep-alives of most servers. */
const QUIET_MS = 36_000

/** The answer to a subscription is no stream of events. */
export class StreamRefused extends Error {
  override name = 'StreamRefused'
}

/** Subscriptions of a subgraph over Server-Sent Events (graphql-sse, distinct connections mode): a request for each. */
export function subgraphSse({
  url,
  introduction,
  silenceMs,
  quietMs = QUIET_MS,
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
    /** Resolves once the stream is open. */
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
      const body = streamOf(await requestOver(url, options))
      const results = resultsOf(body, { maxBody, quietMs, json })
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

function streamOf({ statusCode, headers, body }: Dispatcher.ResponseData): Readable {
  if (statusCode === 200 && /^text\/event-stream\b/.test(String(headers['content-type'])))
    return body
  body.destroy()
  body.on('error', () => {}) // it is left unread
  throw new StreamRefused(`status ${statusCode}, ${headers['content-type'] ?? 'no media type'}`)
}

type Reading = Required<Pick<SubgraphSseOptions, 'maxBody' | 'quietMs' | 'json'>>

async function* resultsOf(
  body: Readable,
  { json, ...limits }: Reading,
): AsyncGenerator<unknown, void> {
  let isComplete = false
  for await (const { event, data } of eventsOf(body, limits)) {
    if (event === 'complete') {
      isComplete = true
      break
    }
    if (event === 'next') yield json.parse(data) as ExecutionResult // judged where it is used
  }
  if (!isComplete) throw new Error('The stream ended before it was complete')
}

/** Reads Server-Sent Events; ids are skipped, and comments show life. @throws BodyTooLong */
async function* eventsOf(
  body: Readable,
  { maxBody: most, quietMs }: Omit<Reading, 'json'>,
): AsyncGenerator<{ event: string; data: string }, void> {
  let quiet: NodeJS.Timeout | undefined
  body.once('close', () => clearTimeout(quiet))
  const decoder = new TextDecoder()
  let event = ''
  let data: string[] = []
  let length = 0
  let rest = ''
  for await (const chunk of body) {
    quiet?.refresh()
    const text = decoder.decode(chunk, { stream: true })
    // A long line comes in many chunks, and is not searched again for each of them.
    const lines = /[\r\n]/.test(text) ? (rest + text).split(/\r\n|\n|\r(?!$)/) : [rest + text]
    rest = lines.pop() ?? ''
    if (length + rest.length > most) throw new BodyTooLong(most)
    for (const line of lines) {
      const [, field, value = ''] = /^(\w+):? ?(.*)$/s.exec(line) ?? []
      if (line.startsWith(':'))
        quiet ??= setTimeout(() => body.destroy(new Error('The stream fell silent')), quietMs)
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
