import { Migration } from '@mikro-orm/migrations'

/** Old links of executions to events are deleted. Those of today count as new. */
export class ExecutionAge extends Migration {
  override up(): void {
    this.addSql(
      'alter table events.execution_event add column at timestamptz not null default now()',
    )
    this.addSql(
      'create index execution_event_at_index on events.execution_event using brin (at) with (pages_per_range = 16)',
    )
  }
}
