import { stringifyDocument, type TypedDocumentNode } from '@urql/core'
import { RequestError } from './client.ts'
import { requireSignIn } from './session.ts'
import { socket, waitMs } from './socket.ts'
import { failureOf, remedyOf, type StreamFailure } from './stream-failure.ts'
import { report } from './trouble.ts'

export interface Watching<Data> {
  /** Reads the cursor of now. Without it the stream begins as its variables say. */
  place?(): Promise<string>
  /** The place is known: what is read from now on lacks nothing that will not arrive. Called again after the place was lost. */
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
 * @returns ends it
 */
export function watch<Data, Variables extends { after?: string | null }>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { place, onPlaced, onData, onGivenUp }: Watching<Data>,
): () => void {
  const query = stringifyDocument(document)
  const current: Record<string, unknown> = { ...variables }
  let isPlaced = false
  let failures = 0
  let turn = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = () => {}
  let hide = () => {}

  /** What still runs of the last try has no effect any more. */
  const end = () => {
    turn++
    clearTimeout(timer)
    stop()
    stop = () => {}
  }
  const isWell = () => {
    failures = 0
    hide()
  }
  const again = (ms: number) => {
    timer = setTimeout(() => void start(), ms)
  }
  const show = (message: string) => {
    hide()
    const retry = () => {
      end()
      failures = 0
      hide()
      void start()
    }
    hide = report({ message, retry })
  }

  async function start(): Promise<void> {
    const own = ++turn
    if (!isPlaced) {
      const placed = await placeOf()
      if (own !== turn) return
      // What is read without a place is read again with one.
      if (typeof placed === 'string' || failures === 0) onPlaced()
      if (typeof placed !== 'string') return fail(placed)
      current.after = placed
      isPlaced = true
    }
    timer = setTimeout(isWell, STEADY_MS)
    const isOver = () => own !== turn
    stop = socket.subscribe<Data>(
      { query, variables: current },
      {
        next({ data, errors }) {
          if (isOver()) return
          if (errors) fail(failureOf(errors))
          else if (data) {
            if (failures > 0) isWell()
            current.after = onData(data)
          }
        },
        error: (thrown) => isOver() || fail(failureOf(thrown)),
        complete: () =>
          isOver() || fail({ message: 'The stream ended', codes: [], retryAfterMs: 0 }),
      },
    )
  }

  /** Where it begins, or why that is not known. */
  async function placeOf(): Promise<string | StreamFailure> {
    try {
      return place ? await place() : (variables.after ?? '')
    } catch (error) {
      const codes = error instanceof RequestError ? error.codes : []
      return { message: (error as Error).message, codes, retryAfterMs: 0 }
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
      again(isFirstLoss ? 0 : Math.max(failure.retryAfterMs, waitMs(failures)))
      if (++failures >= SHOWN_FROM && isPlaced) show(failure.message)
    }
  }

  /** What is read at the same place says the same, unless it was allowed at first. */
  function giveUp({ message, codes }: StreamFailure): void {
    if (isPlaced && !codes.includes('BAD_USER_INPUT')) show(message)
    onGivenUp?.()
  }

  void start()
  return () => {
    end()
    hide()
  }
}
