import type { EventOpeningQuery } from '../graph/generated.ts'
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

/** Time of the server, in whole seconds: the clock of this machine may differ. */
async function serverTime(): Promise<number> {
  const answer = await fetch('/healthz', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  return Date.parse(answer?.headers.get('date') ?? '') || Date.now()
}

/** When an event that is open was opened; null where its history does not say so. */
export function openedAt({ statusHistory, occurrences }: NonNullable<EventOpeningQuery['event']>) {
  const [last] = statusHistory.nodes
  if (!last) return occurrences.nodes[0]?.receivedAt ?? null
  return last.toStatus === 'OPEN' && last.fromStatus !== 'OPEN' ? last.at : null
}

/** Knows which events have opened since it was made. */
export class Openings {
  readonly #open = new Set<string>()
  readonly #since = serverTime()

  /** @param read reads how it was opened; only asked for events that are not known to be open */
  async isNew(
    { id, status }: { id: string; status: string },
    read: () => Promise<EventOpeningQuery>,
  ): Promise<boolean> {
    if (status !== 'OPEN') {
      if (status !== 'ACKNOWLEDGED') this.#open.delete(id)
      return false
    }
    if (this.#open.has(id)) return false
    this.#open.add(id)
    const answer = await read().catch(() => null)
    if (!answer) return true // rather once too often
    const at = answer.event ? openedAt(answer.event) : null
    return at !== null && Date.parse(at) >= (await this.#since)
  }
}
