import { setTimeout as delay } from 'node:timers/promises'
import { COMMAND_DOCUMENTS, type CommandDocument } from '../formats/command-documents.ts'
import { exactJson } from '../formats/json/exact-number.ts'
import { parseExact } from '../formats/json/json.ts'
import { retryAfterMs } from '../formats/retry-after.ts'
import { CommandError, EXIT } from './exit-codes.ts'
import {
  causeOf,
  dataOf,
  isTlsFault,
  NO_TLS,
  notAssay,
  redirected,
  refused,
  unreachable,
} from './failures.ts'
import { type ServerEvent, serverEvents } from './sse.ts'

export interface ClientOptions {
  /** ASSAY_URL; with a path, that is the root of the REST interface. */
  url: string
  /** ASSAY_TOKEN */
  token?: string | undefined
  signal: AbortSignal
  /** Notes that a request is sent again, and why. */
  onRetry?: (reason: string) => void
  /** Time without a sign of life after which a stream is lost. */
  silenceMs?: number
}

export interface Request {
  body?: unknown
  query?: Readonly<Record<string, string | readonly string[] | undefined>>
  headers?: Readonly<Record<string, string>>
  /** True if the request may be sent again although a response was lost. */
  isRepeatable?: boolean
  /** A status besides success whose body is the answer. */
  answerStatus?: number
  /** Ends it besides Ctrl-C. */
  signal?: AbortSignal
}

type Read<Body> = (response: Response) => Promise<Body>

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Tries of a request that may be repeated, and the longest time between two. */
const TRIES = 6
const MAX_DELAY_MS = 10_000
const CLEANUP_MS = 10_000
/** Three keep-alives of a stream (SUBSCRIPTION_KEEP_ALIVE_MS). */
const SILENCE_MS = 36_000
/** Statuses that pass by themselves. */
export const TRY_AGAIN: readonly number[] = [429, 502, 503, 504]

/** The public interfaces of Assay: REST, and GraphQL for streams. */
export class Client {
  readonly #root: string
  readonly #graphql: string
  readonly #options: ClientOptions

  /** @throws CommandError for what is no URL, and for a token that no header can hold */
  constructor(options: ClientOptions) {
    const { url } = options
    const token = options.token?.trim()
    this.#options = { ...options, token }
    const parsed = /^https?:/.test(url) && URL.canParse(url) ? new URL(url) : null
    if (parsed ? parsed.username || parsed.password : url.includes('@'))
      throw new CommandError(
        EXIT.usage,
        'ASSAY_URL has a user name or password, which Assay does not take there: remove it with its @, and set ASSAY_TOKEN',
      )
    if (!parsed)
      throw new CommandError(EXIT.usage, `ASSAY_URL is ${url}: expected an http or https URL`)
    if (token && /[^\x21-\x7e]/.test(token))
      throw new CommandError(
        EXIT.usage,
        'ASSAY_TOKEN has a blank, a line break or a character that no token has: set it to one token alone',
      )
    const { origin, pathname } = parsed
    const path = pathname.replace(/\/+$/, '')
    this.#root = origin + (path === '' ? '/api' : path)
    this.#graphql = `${origin}/graphql`
  }

  /** The same for what is left to do after Ctrl-C, in 10 s at most. */
  forCleanup(): Client {
    const late = new AbortController()
    const reason = `Assay at ${this.#options.url} was not done in ${CLEANUP_MS / 1_000} s`
    setTimeout(() => late.abort(new CommandError(EXIT.unreachable, reason)), CLEANUP_MS).unref()
    return new Client({ ...this.#options, signal: late.signal })
  }

  /** Ends all requests. */
  get signal(): AbortSignal {
    return this.#options.signal
  }

  /** Address of a REST path. */
  at(path: string): string {
    return this.#root + path
  }

  /** Numbers keep their digits. @throws CommandError */
  async rest<Body>(method: Method, path: string, request: Request = {}): Promise<Body> {
    const text = await this.text(method, path, request)
    return (text === '' ? undefined : parseExact(text)) as Body // as the API documents describe it
  }

  /** The body as text. @throws CommandError */
  async text(method: Method, path: string, request: Request = {}): Promise<string> {
    return this.#read(method, path, request, (response) => response.text())
  }

  /** Address of a page of the web client; null where the product serves none. */
  async page(path: string): Promise<string | null> {
    const address = new URL(path, this.#options.url).href
    const init = { method: 'HEAD', headers: { accept: 'text/html' }, signal: this.signal }
    const found = await fetchWithin(new URL(address), init, address).catch(() => null)
    return found?.ok ? address : null
  }

  /** A file. @throws CommandError */
  async bytes(path: string): Promise<Uint8Array> {
    const read = (response: Response) => response.arrayBuffer()
    return new Uint8Array(await this.#read('GET', path, {}, read))
  }

  /** @throws CommandError */
  async graphql<Data>(
    document: CommandDocument,
    variables: object,
    request: Request = {},
  ): Promise<Data> {
    const body = { query: COMMAND_DOCUMENTS[document], variables }
    const read = async (response: Response) => ({
      status: response.status,
      text: await response.text(),
    })
    const { status, text } = await this.#send('POST', this.#graphql, { ...request, body }, read)
    return dataOf<Data>(status, text, this.#options)
  }

  /** The events of a subscription until it ends. @throws CommandError */
  async *subscribe<Data>(
    document: CommandDocument,
    variables: object,
    onOpen: () => void,
  ): AsyncGenerator<Data, void> {
    const { url, silenceMs = SILENCE_MS } = this.#options
    const silence = new AbortController()
    const timer = setTimeout(
      () => silence.abort(unreachable(url, `nothing came for ${silenceMs / 1_000} s`)),
      silenceMs,
    )
    const request = {
      signal: silence.signal,
      body: { query: COMMAND_DOCUMENTS[document], variables },
      headers: { accept: 'text/event-stream' },
      isRepeatable: true,
    }
    const read = async (response: Response) => {
      if (!response.ok || !response.body) throw await this.#refused(response)
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) onOpen()
      return { status: response.status, body: response.body }
    }
    try {
      const { status, body } = await this.#send('POST', this.#graphql, request, read)
      const events = serverEvents(body, () => timer.refresh())
      for await (const { event, data } of lost(events, url)) {
        if (event === 'complete') return
        if (event === 'next') yield dataOf<Data>(status, data, this.#options)
      }
      throw unreachable(url, 'the stream broke off')
    } finally {
      clearTimeout(timer)
    }
  }

  #read<Body>(method: Method, path: string, request: Request, read: Read<Body>): Promise<Body> {
    return this.#send(method, this.#root + path, request, async (response) => {
      if (response.ok || response.status === request.answerStatus) return read(response)
      throw await this.#refused(response)
    })
  }

  async #refused(response: Response): Promise<CommandError> {
    return refused(response.status, await response.text(), this.#options)
  }

  /** @param read the body, which can be lost as all of a response can */
  async #send<Body>(
    method: Method,
    address: string,
    request: Request,
    read: Read<Body>,
  ): Promise<Body> {
    const { body, query = {}, headers = {}, isRepeatable = method === 'GET' } = request
    const { token, signal, url: assay } = this.#options
    const url = new URL(address)
    for (const [name, value] of Object.entries(query))
      for (const each of [value ?? []].flat()) url.searchParams.append(name, each)
    const init = {
      method,
      headers: {
        accept: 'application/json, */*',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      signal: AbortSignal.any([signal, ...(request.signal ? [request.signal] : [])]),
      ...(body === undefined ? {} : { body: exactJson(body) }),
    }
    for (let attempt = 1; ; attempt++) {
      const isLast = !isRepeatable || attempt === TRIES
      try {
        const response = await fetchWithin(url, init, assay)
        if (isLast || !TRY_AGAIN.includes(response.status))
          return await read(fromAssay(response, assay))
        await response.body?.cancel()
        await this.#pause(`HTTP ${response.status}`, waitOf(attempt, response), init.signal)
      } catch (error) {
        if (init.signal.aborted) throw init.signal.reason
        if (error instanceof CommandError) throw error
        if (isTlsFault(error)) throw unreachable(assay, causeOf(error), NO_TLS)
        if (isLast) throw unreachable(assay, causeOf(error))
        await this.#pause(causeOf(error), waitOf(attempt), init.signal)
      }
    }
  }

  /** @throws the reason of the signal */
  async #pause(reason: string, ms: number, signal: AbortSignal): Promise<void> {
    const { url, onRetry } = this.#options
    onRetry?.(`${url}: ${reason}. Trying again in ${(ms / 1_000).toFixed(1)} s`)
    await delay(ms, undefined, { signal }).catch(() => {
      throw signal.reason
    })
  }
}

const MAX_REDIRECTS = 5

/**
 * Follows redirects of its own origin alone: they would carry `credentials`, tokens and bodies to any other.
 * @param assay ASSAY_URL @throws CommandError
 */
async function fetchWithin(url: URL, init: RequestInit, assay: string): Promise<Response> {
  let from = url
  for (let hop = 0; ; hop++) {
    const response = await fetch(from, { ...init, redirect: 'manual' })
    const to = redirectOf(response, from)
    if (!to) return response
    await response.body?.cancel()
    // The other codes let clients repeat a change as GET (RFC 9110, 15.4).
    const isKept =
      init.method === 'GET' || init.method === 'HEAD' || [307, 308].includes(response.status)
    if (to.origin !== url.origin || !isKept || hop === MAX_REDIRECTS)
      throw redirected(assay, response.status, to)
    from = to
  }
}

function redirectOf({ status, headers }: Response, from: URL): URL | null {
  const location = headers.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return null
  return URL.canParse(location, from.href) ? new URL(location, from) : null
}

/** Every answer of the product has the id of its request. @throws CommandError */
function fromAssay(response: Response, url: string): Response {
  if (response.headers.has('x-request-id')) return response
  // A proxy in front answered.
  if (response.status >= 500) throw unreachable(url, `HTTP ${response.status}`)
  throw notAssay(url, response)
}

const waitOf = (attempt: number, response?: Response): number => {
  const ms = retryAfterMs(response?.headers.get('retry-after') ?? '', Date.now())
  return Math.min(MAX_DELAY_MS, ms > 0 ? ms : 250 * 2 ** attempt)
}

/** A stream that breaks is an Assay that cannot be reached. */
async function* lost(events: AsyncIterable<ServerEvent>, url: string): AsyncGenerator<ServerEvent> {
  try {
    yield* events
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw unreachable(url, causeOf(error))
  }
}
