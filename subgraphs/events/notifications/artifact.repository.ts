import type { Orm } from '../../../platform/database/orm.ts'
import { inTransaction, runSql, type Sql } from '../../../platform/database/sql.ts'
import type { ArtifactStored } from '../../../platform/jobs/artifact-stored.ts'
import type { ForwardedArtifact } from './rule-book.ts'

/** One process at a time decides, by rules that do not change meanwhile. */
const NUMBER = 727_410
export const TRY_LOCK_PASSES = `select pg_try_advisory_xact_lock(${NUMBER}) as held`
export const LOCK_PASSES = `select pg_advisory_xact_lock(${NUMBER})`

/** Channels, rules, silences and triggers as test execution has stored them. */
export class ForwardedArtifactRepository {
  constructor(private readonly orm: Orm) {}

  /** Takes a change over, unless a later one is here. Groups of a changed rule are judged anew. */
  store({ kind, id, at, fields, sealed }: ArtifactStored): Promise<void> {
    return inTransaction(
      this.orm.em,
      async (sql) => {
        // A pass that has read the former one is over.
        await runSql(sql, LOCK_PASSES)
        if (kind === 'silence') await runSql(sql, END_FORMER, [id, at])
        const values = [kind, id, at, JSON.stringify(fields ?? {}), fields === null]
        await runSql(sql, STORE, [...values, JSON.stringify(sealed)])
        if (kind === 'rule') await runSql(sql, JUDGE_GROUPS, [id])
      },
      { isAudited: false },
    )
  }

  read(sql: Sql = this.orm.em): Promise<ForwardedArtifact[]> {
    return runSql(sql, READ)
  }

  /** True if changes of state are of use to a rule or a trigger. */
  async isAnyRule(): Promise<boolean> {
    return (await runSql(this.orm.em, FIND_RULE)).length > 0
  }

  /** True in a restored backup, until an administrator ends it. */
  async isPaused(): Promise<boolean> {
    return (await runSql(this.orm.em, FIND_PAUSE)).length > 0
  }

  async endPause(): Promise<void> {
    await runSql(this.orm.em, END_PAUSE)
  }

  async channel(id: string): Promise<ForwardedArtifact | undefined> {
    const [row] = await runSql<ForwardedArtifact>(
      this.orm.em,
      `${READ} and kind = 'channel' and id = $1`,
      [id],
    )
    return row
  }
}

/** A deleted one stays, so that a late job of a former change is known as late. */
const STORE = `
  insert into events.forwarded_artifact as stored (kind, id, at, fields, is_deleted, sealed, is_active)
  values ($1, $2, $3::bigint, $4::jsonb, $5, $6::jsonb, false)
  on conflict (kind, id) do update set at = excluded.at, fields = excluded.fields, sealed = excluded.sealed,
    is_deleted = excluded.is_deleted, is_active = false
  where stored.at < excluded.at`

/** A silence that holds ends with its change, and the changed one begins: what only the former kept back is notified. */
const END_FORMER = `
  insert into events.forwarded_artifact (kind, id, at, fields, is_deleted, sealed, is_active)
  select kind, id || ' ' || at, at, fields, true, sealed, true from events.forwarded_artifact
  where kind = 'silence' and id = $1 and is_active and at < $2::bigint`

const JUDGE_GROUPS = `update events.notification_group set due_at = now() where rule_id = $1`

const READ = `
  select kind, id, at::text as at, fields, sealed, is_active as "isActive",
    is_deleted as "isDeleted"
  from events.forwarded_artifact where (not is_deleted or is_active)`

const FIND_RULE = `
  select from events.forwarded_artifact
  where kind in ('rule', 'trigger') and fields ? 'query' and not is_deleted and (fields ->> 'enabled')::boolean limit 1`

/** A restore leaves it. */
const FIND_PAUSE = `select from events.forwarded_artifact where kind = 'pause'`

const END_PAUSE = `delete from events.forwarded_artifact where kind = 'pause'`
