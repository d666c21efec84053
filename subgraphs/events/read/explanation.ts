import type { StoredEvent } from '../tables/event.entity.ts'
import type { FingerprintExplanation } from './explanation.type.ts'

/** How an event's identity came about, as its first occurrence decided it. */
export function explainFingerprint(event: StoredEvent): FingerprintExplanation {
  const always: [string, unknown][] = [
    ['@source.ref', event.sourceRef],
    ['@source.type', event.sourceType],
    ['@eventClass', event.eventClass],
  ]
  const present = always.filter(([, value]) => value !== null)
  const used = new Set(event.fingerprintValues.map(([name]) => name))
  return {
    used: [...present, ...event.fingerprintValues].map(([name, value]) => ({ name, value })),
    ignored: [...new Set(event.fingerprintFields)].filter((name) => !used.has(name)),
  }
}
