import { createStore } from '../ui/store.ts'

/** Updates of a stream do not arrive, although the server can be reached. */
export interface Trouble {
  message: string
  /** Tries now. */
  retry(): void
}

const troubles = createStore<readonly Trouble[]>([])

/** Shows it to the reader. @returns takes it away */
export function report(trouble: Trouble): () => void {
  troubles.set([...troubles.get(), trouble])
  return () => troubles.set(troubles.get().filter((each) => each !== trouble))
}

export const useTroubles = troubles.use
