import { createStore } from '../ui/store.ts'

const KEY = 'assay-announced'

/** Query whose events this browser announces; null: none. */
const announced = createStore<string | null>(localStorage.getItem(KEY))

export const useAnnounced = announced.use

/** Announces events of a query from now on, in place of another; null ends it. @throws Error where the browser lets no page do so */
export async function announce(query: string | null): Promise<void> {
  if (query === null) {
    localStorage.removeItem(KEY)
  } else {
    if (!('Notification' in window) || !window.isSecureContext)
      throw new Error('Browsers announce events of pages with HTTPS, or of this machine, alone')
    if ((await Notification.requestPermission()) !== 'granted')
      throw new Error('The browser blocks announcements: allow notifications of this page there')
    // On a phone the browser lets no page do so, and this throws.
    new Notification('Assay announces events', { body: query || 'All events', tag: KEY })
    localStorage.setItem(KEY, query)
  }
  announced.set(query)
}

export const isAllowed = (): boolean =>
  'Notification' in window && Notification.permission === 'granted'
