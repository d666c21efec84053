import { batched } from '../../../platform/async/turns.ts'
import type { Orm } from '../../../platform/database/orm.ts'
import { toRow } from '../../../platform/database/row.ts'
import { runSql } from '../../../platform/database/sql.ts'
import { whereAll } from '../../../platform/event-query/condition.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import { withinTime } from '../read/query-timeout.ts'
import type { LowerCaseRepository } from '../stream/lower-case.repository.ts'
import { EventEntity, type StoredEvent } from '../tables/event.entity.ts'
import type { ForwardedArtifactRepository } from './artifact.repository.ts'
import { EventJudge } from './judge.repository.ts'
import { type CompiledSilence, RuleBooks } from './rule-book.ts'
import type { HoldingSilence } from './silenced.type.ts'

/** Open events that a preview shows. */
const SHOWN = 100

export interface SuppressedEvents {
  isActive: boolean
  /** The latest of `total`. */
  events: StoredEvent[]
  total: number
}

/** Finds what silences hold back now. */
export class SilencedRepository {
  readonly #books = new RuleBooks()

  constructor(
    private readonly orm: Orm,
    private readonly artifacts: Pick<ForwardedArtifactRepository, 'read'>,
    private readonly lowerCase: Pick<LowerCaseRepository, 'read'>,
    private readonly queryTimeoutMs: number,
  ) {}

  /** Silences that hold for an event now. */
  readonly silencesOf = batched(async (eventIds: string[]) => {
    const found = new Map<string, HoldingSilence[]>()
    const now = currentTime()
    const { silences, lower } = await this.#silences()
    const active = silences.filter((silence) => silence.isActive(now))
    if (active.length === 0) return found
    const judge = await EventJudge.of(this.orm, this.orm.em.fork(), eventIds, lower)
    for (const id of eventIds) {
      const subject = judge.subject(id)
      if (!subject) continue
      const holding: HoldingSilence[] = []
      for (const silence of active)
        if (await judge.matches(subject, silence)) holding.push(shownSilence(silence))
      found.set(id, holding)
    }
    return found
  })

  /** Open events that a silence matches. @returns undefined for an unknown one @throws AppError OVERLOADED */
  async preview(silenceId: string): Promise<SuppressedEvents | undefined> {
    const { silences } = await this.#silences()
    const silence = silences.find(({ id, isDeleted }) => id === silenceId && !isDeleted)
    if (!silence) return undefined
    return withinTime(
      this.orm,
      this.queryTimeoutMs,
    )(async (sql) => {
      const where = whereAll([{ sql: IS_OPEN, parameters: [] }, ...silence.conditions()])
      const rows = await runSql<{ total: number; event: object }>(
        sql,
        `select event.*, count(*) over ()::int as total from events.event as event ${where.sql}
         order by event.last_seen_at desc limit ${SHOWN}`,
        where.parameters,
      )
      return {
        isActive: silence.isActive(currentTime()),
        events: rows.map((row) => toRow(this.orm.em, EventEntity, row)),
        total: rows[0]?.total ?? 0,
      }
    })
  }

  async #silences() {
    const lower = await this.lowerCase.read()
    return { lower, ...this.#books.of(await this.artifacts.read(), lower) }
  }
}

const shownSilence = ({ id, name, reason, until }: CompiledSilence): HoldingSilence => ({
  ...{ silenceId: id, name, reason, until },
})

/** Those that are open are found by the index of contents, as lists find them. */
const IS_OPEN = `event.status in ('OPEN', 'ACKNOWLEDGED') and event.id in (
  select event_id from events.event_search as search
  where search.content @> '{"status":"OPEN"}' or search.content @> '{"status":"ACKNOWLEDGED"}')`
