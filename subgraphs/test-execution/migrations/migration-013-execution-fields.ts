import { Migration } from '@mikro-orm/migrations'

const TABLE = '"test_execution"."execution"'

/** Columns by which executions are found: labels, environment, user, name and time; and the revisions that they ran. */
export class Migration013ExecutionFields extends Migration {
  override up(): void {
    this.addSql(`alter table ${TABLE}
      add column "labels" jsonb not null default '{}',
      add column "environment_id" text null,
      add column "revisions" jsonb not null default '[]',
      add column "revision_digest" text not null default ''`)
    this.addSql(`alter table "test_execution"."suite_member"
      add column "revision_digest" text not null default ''`)
    for (const [name, on] of Object.entries(INDEXES))
      this.addSql(`create index "${name}" on ${TABLE} ${on}`)
  }
}

const INDEXES = {
  execution_state_id_index: '("state", "id")',
  execution_environment_id_id_index: '("environment_id", "id")',
  execution_executed_by_id_index: '("executed_by", "id")',
  execution_started_index: '("started")',
  execution_ended_index: '("ended")',
  execution_labels_index: 'using gin ("labels" jsonb_path_ops)',
  execution_context_name_id_index: '("context_name", "id")',
}
