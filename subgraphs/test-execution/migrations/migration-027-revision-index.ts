import { Migration } from '@mikro-orm/migrations'

/** Executions by the components that they ran, and by tags. */
export class Migration027RevisionIndex extends Migration {
  override up(): void {
    this.addSql(
      `create index "execution_revisions_index" on "test_execution"."execution" using gin ("revisions" jsonb_path_ops)`,
    )
  }
}
