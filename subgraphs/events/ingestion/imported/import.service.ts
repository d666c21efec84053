import { AppError } from '../../../../formats/errors.ts'
import { auditTargets } from '../../../../platform/audit/audit.ts'
import { currentTime } from '../../../../platform/process/clock.ts'
import type { EventsSettings } from '../../settings.ts'
import { Raced } from '../writer.repository.ts'
import type { ImportRepository } from './import.repository.ts'
import type { EventImport } from './import.type.ts'
import { type ImportedEvent, judgeImported, MAX_IMPORTED_ID_LENGTH } from './imported-event.ts'

/** Tries of a transaction that occurrences run ahead of. */
const TRIES = 5
/** Characters of a target that the audit log keeps. */
const AUDITED_CHARACTERS = 255

/** Administrators bring the stored events of another product. */
export class ImportService {
  constructor(
    private readonly events: ImportRepository,
    private readonly settings: Pick<EventsSettings, 'importEvents'>,
  ) {}

  /** @returns a result for each, in their order @throws AppError BAD_USER_INPUT, OVERLOADED */
  async import(items: readonly unknown[]): Promise<EventImport[]> {
    const { importEvents: most } = this.settings
    if (items.length === 0 || items.length > most)
      throw new AppError(
        'BAD_USER_INPUT',
        `events: ${items.length} in one import, expected 1 to ${most} (IMPORT_EVENTS): send fewer at a time`,
      )
    const now = currentTime()
    const verdicts = items.map((item) => judgeImported(item, now))
    const events = verdicts.flatMap((verdict) => ('error' in verdict ? [] : [verdict]))
    const ids = events.map(({ id }) => id)
    auditTargets([ids.join(' ').slice(0, AUDITED_CHARACTERS)])
    const outcomes = (await this.#store(events)).values()
    return verdicts.map((verdict, index) =>
      'error' in verdict
        ? { index, eventId: null, outcome: 'REFUSED', message: verdict.error }
        : {
            ...{ index, eventId: verdict.occurrence.eventId, message: null },
            outcome: outcomes.next().value ?? 'UNCHANGED',
          },
    )
  }

  /** The events that ids of another product stand for, by these ids. */
  async eventIdsOf(ids: readonly string[]): Promise<Map<string, string>> {
    const possible = ids.filter(
      (id) => id.length <= MAX_IMPORTED_ID_LENGTH && !id.includes('\0') && id.isWellFormed(),
    )
    return possible.length > 0 ? this.events.eventIdsOf(possible) : new Map()
  }

  async #store(events: readonly ImportedEvent[]) {
    if (events.length === 0) return []
    for (let tries = 1; ; tries++) {
      try {
        return await this.events.import(events)
      } catch (cause) {
        if (!(cause instanceof Raced)) throw cause
        if (tries < TRIES) continue
        throw new AppError(
          'OVERLOADED',
          'Occurrences of these events arrive too fast. Nothing was imported: send the call again',
          { cause },
        )
      }
    }
  }
}
