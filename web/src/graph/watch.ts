import { stringifyDocument, type TypedDocumentNode } from '@urql/core'
import { failureOf, remedyOf, type StreamFailure } from './stream-failure.ts'

/** Page that a stream is for, as the stream needs it. */
export interface Surroundings {
  /** As graphql-ws does it. */
  subscribe(payload: { query: string; variables: Record<string, unknown> }, sink: Sink): () => void
  /** Time to wait before another try. */
  waitMs(tries: number): number
  requireSignIn(): void
  /** Shows the reader that updates do not arrive. @returns takes it away */
  report(trouble: { message: string; retry(): void }): () => void
}

interface Sink {
  next(result: { data?: unknown; errors?: readonly unknown[] }): void
  error(thrown: unknown): void
  complete(): void
}

export interface Watching<Data> {
  /** Reads the cursor of now. Without it the stream begins as its variables say. */
  place?(): Promise<string>
  /** Called once reads miss nothing that will not arrive. Called again when the place was lost. */
  onPlaced(): void
  /** @returns the cursor to continue behind */
  onData(data: Data): string
  onGivenUp?(): void
}

/** From this failure in a row on, the reader is shown that updates do not arrive. */
const SHOWN_FROM = 3
/** A subscription that holds this long has begun well: the server does not say so. */
const STEADY_MS = 5_000

/** @returns watches, and returns what ends it */
export const createWatch =
  (surroundings: Surroundings) =>
  <Data, Variables extends { after?: string | null }>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    watching: Watching<Data>,
  ): (() => void) => {
    const watch = new Watch(surroundings, stringifyDocument(document), variables, watching)
    void watch.start()
    return () => watch.end()
  }

/**
 * Subscribes until it is ended, without a gap: it continues behind the last cursor after a lost connection (graphql-ws
 * sends the variables anew, and they are kept up to date here) and after a failure that passes by itself.
 */
class Watch<Data> {
  readonly #surroundings: Surroundings
  readonly #query: string
  readonly #variables: Record<string, unknown>
  readonly #watching: Watching<Data>
  readonly #first: string
  #isPlaced = false
  #failures = 0
  #turn = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #stop = () => {}
  #hide = () => {}

  constructor(
    surroundings: Surroundings,
    query: string,
    variables: { after?: string | null },
    watching: Watching<Data>,
  ) {
    this.#surroundings = surroundings
    this.#query = query
    this.#variables = { ...variables }
    this.#watching = watching
    this.#first = variables.after ?? ''
  }

  async start(): Promise<void> {
    const own = ++this.#turn
    const isOver = () => own !== this.#turn
    const { onPlaced, onData } = this.#watching
    if (!this.#isPlaced) {
      const placed = await this.#place()
      if (isOver()) return
      // Data that were read without a place are read again with one.
      if (typeof placed === 'string' || this.#failures === 0) onPlaced()
      if (typeof placed !== 'string') return this.#fail(placed)
      this.#variables.after = placed
      this.#isPlaced = true
    }
    this.#timer = setTimeout(() => this.#recover(), STEADY_MS)
    const payload = { query: this.#query, variables: this.#variables }
    this.#stop = this.#surroundings.subscribe(payload, {
      next: ({ data, errors }) => {
        if (isOver()) return
        if (errors) return this.#fail(failureOf(errors))
        if (this.#failures > 0) this.#recover()
        if (data) this.#variables.after = onData(data as Data) // as the document asks for it
      },
      error: (thrown) => isOver() || this.#fail(failureOf(thrown)),
      complete: () => isOver() || this.#fail(failureOf(new Error('The stream ended'))),
    })
  }

  end(): void {
    this.#endTry()
    this.#hide()
  }

  /** Place where it begins, or the reason why that is unknown. */
  async #place(): Promise<string | StreamFailure> {
    const { place } = this.#watching
    try {
      return place ? await place() : this.#first
    } catch (error) {
      return failureOf(error)
    }
  }

  #fail(failure: StreamFailure): void {
    this.#endTry()
    const { requireSignIn, waitMs } = this.#surroundings
    const remedy = remedyOf(failure)
    if (remedy === 'sign in') requireSignIn()
    else if (remedy === 'give up') this.#giveUp(failure)
    else {
      const isFirstLoss = remedy === 'place anew' && this.#failures === 0
      if (remedy === 'place anew') this.#isPlaced = false
      const ms = isFirstLoss ? 0 : Math.max(failure.retryAfterMs, waitMs(this.#failures))
      this.#timer = setTimeout(() => void this.start(), ms)
      if (++this.#failures >= SHOWN_FROM && this.#isPlaced) this.#show(failure.message)
    }
  }

  /** Gives up: another read at the same place fails alike, unless it was allowed at first. */
  #giveUp({ message, codes }: StreamFailure): void {
    if (this.#isPlaced && !codes.includes('BAD_USER_INPUT')) this.#show(message)
    this.#watching.onGivenUp?.()
  }

  #show(message: string): void {
    this.#hide()
    const retry = () => {
      this.#endTry()
      this.#recover()
      void this.start()
    }
    this.#hide = this.#surroundings.report({ message, retry })
  }

  #recover(): void {
    this.#failures = 0
    this.#hide()
  }

  /** Ends the last try, whose late effects are ignored. */
  #endTry(): void {
    this.#turn++
    clearTimeout(this.#timer)
    this.#stop()
    this.#stop = () => {}
  }
}
