import { Migration } from '@mikro-orm/migrations'

/** The order in which state changes of all executions were committed. */
export class Migration009StateChanges extends Migration {
  override up(): void {
    this.addSql(`alter table "test_execution"."execution_update"
      add column "xact" xid8 not null default pg_current_xact_id()`)
    this.addSql(
      `create index "execution_update_state_index" on "test_execution"."execution_update" ("xact", "execution_id", "seq") where kind = 'STATE'`,
    )
  }
}
