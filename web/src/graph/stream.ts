import { stringifyDocument, type TypedDocumentNode } from '@urql/core'
import { createClient } from 'graphql-ws'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { tokenHeaders } from './session.ts'

/** Whether updates arrive: not asked for yet, arriving, or on the way back. */
export type Connection = 'idle' | 'live' | 'lost'

let connection: Connection = 'idle'
const listeners = new Set<() => void>()

const set = (next: Connection) => () => {
  connection = next
  for (const listener of listeners) listener()
}

const RETRY_MS = { first: 500, most: 10_000 }

const socket = createClient({
  url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
  connectionParams: tokenHeaders,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  retryWait: async (retries) => {
    const ms = Math.min(RETRY_MS.first * 2 ** Math.min(retries, 10), RETRY_MS.most)
    await new Promise((done) => setTimeout(done, ms * (0.5 + Math.random() / 2)))
  },
  keepAlive: 10_000,
  on: { connected: set('live'), closed: set('lost') },
})

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
  onEnd?(): void
  onError?(message: string): void
}

/**
 * Subscribes until it is ended. After a lost connection it continues behind the last cursor, without a gap: graphql-ws
 * sends the variables anew, and they are kept up to date here.
 * @returns ends it
 */
export function watch<Data, Variables extends { after?: string | null }>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { onData, onEnd, onError }: Watching<Data>,
): () => void {
  const current: Record<string, unknown> = { ...variables }
  return socket.subscribe<Data>(
    { query: stringifyDocument(document), variables: current },
    {
      next({ data, errors }) {
        if (errors?.[0]) onError?.(errors[0].message)
        else if (data) current.after = onData(data)
      },
      error: (error) => onError?.(messageOf(error)),
      complete: () => onEnd?.(),
    },
  )
}

const messageOf = (error: unknown): string =>
  Array.isArray(error) ? error.map(({ message }) => String(message)).join(' · ') : String(error)

/** Subscribes while the component is shown. @param variables null: not at all */
export function useFollow<Data, Variables extends { after?: string | null }>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables | null,
  onData: (data: Data) => string,
): string | null {
  const [error, setError] = useState<string | null>(null)
  const key = JSON.stringify(variables)
  const receive = useEffectEvent(onData)
  useEffect(() => {
    setError(null)
    const given: Variables | null = JSON.parse(key)
    return given
      ? watch(document, given, { onData: (data) => receive(data), onError: setError })
      : undefined
  }, [document, key])
  return error
}
