import type { Table } from '../../../platform/event-query/fields.ts'
import type { EventService } from '../read/event.service.ts'
import type { Change } from './change.repository.ts'
import { type LowerCase, Subject } from './predicate/subject.ts'

/** Makes of changes what predicates judge: once for all queries that are asked about the same changes. */
export class Subjects {
  #changes: readonly Change[] | undefined
  readonly #made = new Map<string, Promise<(Subject | undefined)[]>>()

  constructor(private readonly events: Pick<EventService, 'find'>) {}

  /** @returns undefined for a change that is none of the table's */
  of(
    changes: readonly Change[],
    table: Table,
    withEvents: boolean,
    lower: LowerCase,
  ): Promise<(Subject | undefined)[]> {
    if (this.#changes !== changes) this.#made.clear()
    this.#changes = changes
    const key = `${table} ${withEvents}`
    const known = this.#made.get(key)
    if (known) return known
    const made = Promise.all(
      changes.map(async ({ occurrence, eventId }) => {
        if (table === 'raw' && !occurrence) return undefined
        const event = withEvents ? await this.events.find(eventId) : undefined
        return new Subject(table === 'raw' ? (occurrence ?? undefined) : undefined, event, lower)
      }),
    )
    this.#made.set(key, made)
    return made
  }
}
