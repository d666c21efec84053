import { useSyncExternalStore } from 'react'
import { ago, duration, exactTime } from './format.ts'

const TICK_MS = 1_000
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The same function each time: another one would be subscribed anew at each render, and a timer begun anew never fires. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** One clock for all times on the page. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)

/** Age; the exact time is its title. */
export function Ago({ at }: { at: string }) {
  const text = ago(at, useNow())
  return (
    <time dateTime={at} title={exactTime(at)} className="number">
      {text}
    </time>
  )
}

const Running = ({ since }: { since: string }) =>
  duration(Math.max(0, useNow() - Date.parse(since)))

interface TookProps {
  of: { started: string; ended: string | null; state: string }
}

/** Duration of an execution, until now while it runs. */
export function Took({ of: { started, ended, state } }: TookProps) {
  return (
    <span className="number">
      {ended ? (
        duration(Date.parse(ended) - Date.parse(started))
      ) : state === 'RUNNING' ? (
        <Running since={started} />
      ) : (
        '–'
      )}
    </span>
  )
}
