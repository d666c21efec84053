import { stringifyDocument, type TypedDocumentNode } from '@urql/core'
import { createClient } from 'graphql-ws'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { reviveExact } from './exact.ts'

/** Whether updates arrive: not asked for yet, arriving, or on the way back. */
export type Connection = 'idle' | 'live' | 'lost'

let connection: Connection = 'idle'
const listeners = new Set<() => void>()

const set = (next: Connection) => () => {
  connection = next
  for (const listener of listeners) listener()
}

const RETRY_MS = { first: 500, most: 10_000 }

/** The code of a close that was meant (RFC 6455, section 7.4.1). */
const NORMAL = 1_000

const socket = createClient({
  jsonMessageReviver: reviveExact,
  url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  retryWait: async (retries) => {
    const ms = Math.min(RETRY_MS.first * 2 ** Math.min(retries, 10), RETRY_MS.most)
    await new Promise((done) => setTimeout(done, ms * (0.5 + Math.random() / 2)))
  },
  keepAlive: 10_000,
  // The next page uses the same connection.
  lazyCloseTimeout: 3_000,
  on: {
    connected: (_socket, _payload, wasRetry) => {
      set('live')()
      if (wasRetry) for (const listener of returned) listener()
    },
    // Nothing is watched any more, or the connection broke.
    closed: (event) => set(isNormal(event) ? 'idle' : 'lost')(),
  },
})

const isNormal = (event: unknown) => event instanceof CloseEvent && event.code === NORMAL

/** Called when the connection is back. */
const returned = new Set<() => void>()

export const useConnection = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => connection,
  )

interface Watching<Data> {
  /** @returns the cursor to continue behind */
  onData(data: Data): string
  /** Something may have been missed: read anew. */
  onGap?(): void
  onError?(message: string): void
}

/** The server cannot continue behind the cursor. */
const LOST_PLACE: readonly unknown[] = ['CURSOR_EXPIRED', 'SLOW_CONSUMER']

/**
 * Subscribes until it is ended. After a lost connection it continues behind the last cursor, without a gap: graphql-ws
 * sends the variables anew, and they are kept up to date here.
 * @returns ends it
 */
export function watch<Data, Variables extends { after?: string | null }>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { onData, onGap, onError }: Watching<Data>,
): () => void {
  const current: Record<string, unknown> = { ...variables }
  const query = stringifyDocument(document)
  let stop = () => {}
  const fail = (errors: readonly Failure[]) => {
    if (errors.some(({ extensions }) => LOST_PLACE.includes(extensions?.code))) {
      current.after = variables.after
      subscribe()
      onGap?.()
    } else onError?.(errors.map(({ message }) => message).join(' · '))
  }
  const subscribe = () => {
    stop = socket.subscribe<Data>(
      { query, variables: current },
      {
        next({ data, errors }) {
          if (errors) fail(errors)
          else if (data) current.after = onData(data)
        },
        error: (error) => fail(Array.isArray(error) ? error : [{ message: String(error) }]),
        complete: () => {},
      },
    )
  }
  // Without a cursor there is no place to continue from.
  const back = () => {
    if (current.after == null) onGap?.()
  }
  returned.add(back)
  subscribe()
  return () => {
    returned.delete(back)
    stop()
  }
}

interface Failure {
  message: string
  extensions?: { code?: unknown }
}

/** Subscribes while the component is shown. @param variables null: not at all */
export function useFollow<Data, Variables extends { after?: string | null }>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables | null,
  onData: (data: Data) => string,
  onGap: () => void,
): string | null {
  const [error, setError] = useState<string | null>(null)
  const key = JSON.stringify(variables)
  const receive = useEffectEvent(onData)
  const readAnew = useEffectEvent(onGap)
  useEffect(() => {
    setError(null)
    const given: Variables | null = JSON.parse(key)
    return given
      ? watch(document, given, {
          onData: (data) => receive(data),
          onGap: () => readAnew(),
          onError: setError,
        })
      : undefined
  }, [document, key])
  return error
}
