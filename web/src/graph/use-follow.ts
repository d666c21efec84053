import type { TypedDocumentNode } from '@urql/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { read } from './client.ts'
import {
  EventChangesDocument,
  EventPlaceDocument,
  ExecutionPlaceDocument,
  ExecutionStatesDocument,
} from './generated.ts'
import { watch } from './streams.ts'

/** A stream of changes, and what names its place of now. */
interface Stream<Change, Variables> {
  changes: TypedDocumentNode<{ changed: Change }, Variables>
  place: TypedDocumentNode<{ place: string }, Record<string, never>>
}

export const EXECUTIONS = { changes: ExecutionStatesDocument, place: ExecutionPlaceDocument }
export const EVENTS = { changes: EventChangesDocument, place: EventPlaceDocument }

/**
 * Subscribes while the component is shown.
 * @param variables null: not at all
 * @param onGap some changes did not arrive: read anew
 * @returns whether its place is known: what is read from then on and the changes together lack nothing
 */
export function useFollow<
  Change extends { cursor: string },
  Variables extends { after?: string | null },
>(
  { changes, place }: Stream<Change, Variables>,
  variables: Omit<Variables, 'after'> | null,
  onChange: (change: Change) => void,
  onGap: () => void,
): boolean {
  const key = JSON.stringify(variables)
  const [placed, setPlaced] = useState<string | null>(null)
  const receive = useEffectEvent(onChange)
  const onPlaced = useEffectEvent(() => {
    if (placed === key) onGap()
    else setPlaced(key)
  })
  useEffect(() => {
    const given: Variables | null = JSON.parse(key)
    return given
      ? watch(changes, given, {
          place: async () => (await read(place, {})).place,
          onPlaced: () => onPlaced(),
          onData: ({ changed }) => {
            receive(changed)
            return changed.cursor
          },
        })
      : undefined
  }, [changes, place, key])
  return placed === key
}
