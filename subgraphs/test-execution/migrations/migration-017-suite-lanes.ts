import { Migration } from '@mikro-orm/migrations'

const TABLE = '"test_execution"."execution"'
const RUNNING = `"suite" is not null and "state" = 'RUNNING'`
/** Positions of the scenarios of `suite` that run. */
const POSITIONS = `from ${TABLE} as member where member."suite_id" = suite."id" and member."state" = 'RUNNING'`

/** A running suite knows its scenarios by the job that runs them, instead of their number. */
export class Migration017SuiteLanes extends Migration {
  override up(): void {
    this.addSql(`update ${TABLE} as suite set "suite" = "suite" - 'running' || jsonb_build_object('lanes',
      (select coalesce(jsonb_agg(jsonb_build_array(member."position")), '[]') ${POSITIONS})) where ${RUNNING}`)
  }
}
