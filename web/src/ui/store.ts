import { useSyncExternalStore } from 'react'

/** A value outside of components that they follow. */
export function createStore<Value>(initial: Value) {
  let value = initial
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = () => value
  return {
    get,
    set(next: Value) {
      value = next
      for (const listener of listeners) listener()
    },
    /** A hook: the value, and each one after it. */
    use: () => useSyncExternalStore(subscribe, get),
  }
}
