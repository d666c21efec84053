import type { EventOpeningQuery } from '../graph/generated.ts'

/**
 * Time of the server when this was called (ms), at most a second and the way of an answer too early: the clock of this
 * machine may differ.
 */
async function serverTime(): Promise<number> {
  const calledAt = performance.now()
  const answer = await fetch('/healthz', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  // A header in whole seconds, rounded down, of a moment after the call.
  const answeredAt = Date.parse(answer?.headers.get('date') ?? '') || Date.now()
  return answeredAt - (performance.now() - calledAt)
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
