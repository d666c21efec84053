import type { Orm } from '../../../platform/database/orm.ts'
import { runSql } from '../../../platform/database/sql.ts'
import { withinTime } from '../read/query-timeout.ts'
import type { LowerCaseRepository } from '../stream/lower-case.repository.ts'
import type { ForwardedArtifactRepository } from './artifact.repository.ts'
import { EventJudge } from './judge.repository.ts'
import { IS_REGRESSION } from './regression-sql.ts'
import { ruleOf } from './rule-book.ts'
import { type PastChange, type PastMessage, simulate } from './simulate.ts'

export interface RulePreviewResult {
  sent: PastMessage[]
  titles: ReadonlyMap<string, string>
  /** There were more changes than are looked at. */
  isCut: boolean
}

interface ChangeRow {
  eventId: string
  at: Date
  fromStatus: string | null
  fromSeverity: string | null
  status: string
  severity: string
  isRegression: boolean
}

/** Changes that one preview looks at. */
const MAX_CHANGES = 10_000

/** Finds out what a rule would have sent. */
export class PreviewRepository {
  constructor(
    private readonly orm: Orm,
    private readonly artifacts: Pick<ForwardedArtifactRepository, 'read'>,
    private readonly lowerCase: Pick<LowerCaseRepository, 'read'>,
    private readonly queryTimeoutMs: number,
  ) {}

  /** @returns undefined for an unknown rule @throws AppError OVERLOADED */
  async preview(ruleId: string, since: Date, now: Date): Promise<RulePreviewResult | undefined> {
    const lower = await this.lowerCase.read()
    const artifact = (await this.artifacts.read()).find(
      ({ kind, id, isDeleted }) => kind === 'rule' && id === ruleId && !isDeleted,
    )
    if (!artifact) return undefined
    const rule = ruleOf(artifact, lower)
    return withinTime(
      this.orm,
      this.queryTimeoutMs,
    )(async (sql) => {
      const rows = await runSql<ChangeRow>(sql, FIND_CHANGES, [since, MAX_CHANGES + 1])
      const ids = [...new Set(rows.map(({ eventId }) => eventId))]
      const judge = await EventJudge.of(this.orm, sql, ids, lower)
      const changes: PastChange[] = []
      for (const { eventId, at, fromStatus, fromSeverity, ...to } of rows.slice(0, MAX_CHANGES)) {
        const subject = judge.subject(eventId, to)
        if (!subject) continue
        const from =
          fromStatus === null ? null : { status: fromStatus, severity: fromSeverity ?? '' }
        const matches = await judge.matches(subject, rule)
        changes.push({ eventId, from, at: new Date(at).getTime(), matches, ...to })
      }
      const titles = new Map([...judge.events].map(([id, { title }]) => [id, title]))
      const sent = simulate(rule, changes, judge.events, now.getTime())
      return { sent, titles, isCut: rows.length > MAX_CHANGES }
    })
  }
}

/** Changes of status, and first occurrences: the status of these is what the first change of status began with. */
const FIND_CHANGES = `
  select event_id as "eventId", at, from_status as "fromStatus", from_severity as "fromSeverity",
    to_status as status, to_severity as severity, ${IS_REGRESSION} as "isRegression"
  from events.status_change as change where at >= $1
  union all
  select event.id, event.first_seen_at, null, null, coalesce(began.from_status, event.status),
    coalesce(began.from_severity, event.severity), false
  from events.event as event left join lateral (
    select from_status, from_severity from events.status_change
    where event_id = event.id order by id limit 1) as began on true
  where event.first_seen_at >= $1
  order by at limit $2`
