import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'assay-theme'
const isTheme = (text: string | null): text is Theme =>
  text === 'system' || text === 'light' || text === 'dark'

const stored = localStorage.getItem(KEY)
let theme: Theme = isTheme(stored) ? stored : 'system'
const listeners = new Set<() => void>()

/** Light or dark by the system, unless the reader chose. */
export function applyTheme(next: Theme = theme): void {
  theme = next
  localStorage.setItem(KEY, next)
  if (next === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next
  for (const listener of listeners) listener()
}

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => theme,
  )
