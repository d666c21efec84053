import type { Orm } from '../../../platform/database/orm.ts'
import { toRow } from '../../../platform/database/row.ts'
import { runSql, type Sql } from '../../../platform/database/sql.ts'
import { type Condition, whereAll } from '../../../platform/event-query/condition.ts'
import { type LowerCase, Subject } from '../stream/predicate/subject.ts'
import { EventEntity, type StoredEvent } from '../tables/event.entity.ts'
import type { State } from './change.ts'
import type { CompiledRule, CompiledSilence } from './rule-book.ts'

type Queried = Pick<CompiledRule | CompiledSilence, 'judge' | 'conditions'>

/** Judges events by queries: in this process, and by the database where it alone can. */
export class EventJudge {
  readonly #matching = new Map<Queried, Promise<Set<string>>>()

  constructor(
    private readonly sql: Sql,
    /** Events that it may be asked about, by id. */
    readonly events: ReadonlyMap<string, StoredEvent>,
    private readonly lower: LowerCase,
  ) {}

  static async of(
    orm: Orm,
    sql: Sql,
    ids: readonly string[],
    lower: LowerCase,
  ): Promise<EventJudge> {
    const rows = await runSql<object>(sql, FIND, [ids])
    const events = rows.map((row) => toRow(orm.em, EventEntity, row))
    return new EventJudge(sql, new Map(events.map((event) => [event.id, event])), lower)
  }

  /** The event with a state that it has had. @returns undefined for one that is deleted */
  subject(id: string, state?: State): Subject | undefined {
    const event = this.events.get(id)
    if (!event) return undefined
    const { status, severity } = state ?? event
    return new Subject(undefined, { ...event, status, severity }, this.lower)
  }

  async matches(subject: Subject, query: Queried): Promise<boolean> {
    const verdict = query.judge(subject)
    if (verdict !== undefined) return verdict
    const known =
      this.#matching.get(query) ?? matching(this.sql, [...this.events.keys()], query.conditions())
    this.#matching.set(query, known)
    return (await known).has(subject.content.id)
  }

  async matchesAny(subject: Subject, queries: readonly Queried[]): Promise<boolean> {
    for (const query of queries) if (await this.matches(subject, query)) return true
    return false
  }
}

/** Those of some events that match. */
export async function matching(
  sql: Sql,
  ids: readonly string[],
  conditions: readonly Condition[],
): Promise<Set<string>> {
  const where = whereAll([{ sql: 'event.id = any(?::uuid[])', parameters: [ids] }, ...conditions])
  const rows = await runSql<{ id: string }>(
    sql,
    `select event.id::text as id from events.event as event ${where.sql}`,
    where.parameters,
  )
  return new Set(rows.map(({ id }) => id))
}

const FIND = 'select event.* from events.event as event where event.id = any ($1::uuid[])'
