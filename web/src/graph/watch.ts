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

/**
 * Subscribes until it is ended, without a gap: it continues behind the last cursor after a lost connection (graphql-ws
 * sends the variables anew, and they are kept up to date here) and after a failure that passes by itself.
 * @returns watches, and returns what ends it
 */
export const createWatch =
  ({ subscribe, waitMs, requireSignIn, report }: Surroundings) =>
  <Data, Variables extends { after?: string | null }>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    { place, onPlaced, onData, onGivenUp }: Watching<Data>,
  ): (() => void) => {
    const current: Record<string, unknown> = { ...variables }
    let isPlaced = false
    let failures = 0
    let turn = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    let stop = () => {}
    let hide = () => {}

    async function start(): Promise<void> {
      const own = ++turn
      const isOver = () => own !== turn
      if (!isPlaced) {
        const placed = await placeOf()
        if (isOver()) return
        // Data that were read without a place are read again with one.
        if (typeof placed === 'string' || failures === 0) onPlaced()
        if (typeof placed !== 'string') return fail(placed)
        current.after = placed
        isPlaced = true
      }
      timer = setTimeout(isWell, STEADY_MS)
      const payload = { query: stringifyDocument(document), variables: current }
      stop = subscribe(payload, {
        next({ data, errors }) {
          if (isOver()) return
          if (errors) return fail(failureOf(errors))
          if (failures > 0) isWell()
          if (data) current.after = onData(data as Data) // as the document asks for it
        },
        error: (thrown) => isOver() || fail(failureOf(thrown)),
        complete: () => isOver() || fail(failureOf(new Error('The stream ended'))),
      })
    }

    /** Place where it begins, or the reason why that is unknown. */
    async function placeOf(): Promise<string | StreamFailure> {
      try {
        return place ? await place() : (variables.after ?? '')
      } catch (error) {
        return failureOf(error)
      }
    }

    function fail(failure: StreamFailure): void {
      end()
      const remedy = remedyOf(failure)
      if (remedy === 'sign in') requireSignIn()
      else if (remedy === 'give up') giveUp(failure)
      else {
        const isFirstLoss = remedy === 'place anew' && failures === 0
        if (remedy === 'place anew') isPlaced = false
        const ms = isFirstLoss ? 0 : Math.max(failure.retryAfterMs, waitMs(failures))
        timer = setTimeout(() => void start(), ms)
        if (++failures >= SHOWN_FROM && isPlaced) show(failure.message)
      }
    }

    /** Gives up: another read at the same place fails alike, unless it was allowed at first. */
    function giveUp({ message, codes }: StreamFailure): void {
      if (isPlaced && !codes.includes('BAD_USER_INPUT')) show(message)
      onGivenUp?.()
    }

    function show(message: string): void {
      hide()
      const retry = () => {
        end()
        isWell()
        void start()
      }
      hide = report({ message, retry })
    }

    function isWell(): void {
      failures = 0
      hide()
    }

    /** Ends the last try, whose late effects are ignored. */
    function end(): void {
      turn++
      clearTimeout(timer)
      stop()
      stop = () => {}
    }

    void start()
    return () => {
      end()
      hide()
    }
  }
