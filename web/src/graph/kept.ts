import { useRouter } from '@tanstack/react-router'
import {
  type Dispatch,
  type SetStateAction,
  useCallback,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'

/** Number that is kept: each may be a list of thousands of rows. */
const MOST = 10
/** By the key of an entry of the history. */
const kept = new Map<string, { of: object; state: unknown }>()

/**
 * A state that is kept with the entry of the history that the reader leaves.
 * @param of what it is the state of; null: keeps nothing
 * @returns the state, what changes it, and what finds the one of the entry that the reader has come back to
 */
export function useKept<State>(
  of: object | null,
  initial: (found: State | undefined) => State,
): [State, Dispatch<SetStateAction<State>>, () => State | undefined] {
  const router = useRouter()
  const find = useCallback(() => {
    const found = kept.get(router.latestLocation.state.__TSR_key ?? '')
    return found && found.of === of ? (found.state as State) : undefined // as it was kept
  }, [router, of])
  const [state, setState] = useState(() => initial(find()))
  const keep = useEffectEvent((key: string | undefined) => {
    if (!of || !key) return
    kept.delete(key)
    kept.set(key, { of, state })
    const [oldest = key] = kept.keys()
    if (kept.size > MOST) kept.delete(oldest)
  })
  useEffect(
    () =>
      router.subscribe('onBeforeLoad', ({ fromLocation }) => keep(fromLocation?.state.__TSR_key)),
    [router],
  )
  return [state, setState, find]
}
