import { useSyncExternalStore } from 'react'

/** Updates of a stream do not arrive, although the server can be reached. */
export interface Trouble {
  message: string
  /** Tries now. */
  retry(): void
}

let troubles: readonly Trouble[] = []
const listeners = new Set<() => void>()

const set = (next: readonly Trouble[]) => {
  troubles = next
  for (const listener of listeners) listener()
}

/** Shows it to the reader. @returns takes it away */
export function report(trouble: Trouble): () => void {
  set([...troubles, trouble])
  return () => set(troubles.filter((each) => each !== trouble))
}

export const useTroubles = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => troubles,
  )
