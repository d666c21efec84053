import { createStore } from '../ui/store.ts'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'assay-theme'
const isTheme = (text: string | null): text is Theme =>
  text === 'system' || text === 'light' || text === 'dark'

const stored = localStorage.getItem(KEY)
const theme = createStore<Theme>(isTheme(stored) ? stored : 'system')

/** Light or dark by the system, unless the reader chose. */
export function applyTheme(next: Theme = theme.get()): void {
  localStorage.setItem(KEY, next)
  if (next === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next
  theme.set(next)
}

export const useTheme = theme.use
