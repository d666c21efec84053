import { Migration } from '@mikro-orm/migrations'

/** Executions of suites, the scenarios of one that are still to begin, and generated suites. What is executed is kept only until the end. */
export class Migration004Suites extends Migration {
  override up(): void {
    this.addSql(`alter table "test_execution"."execution"
      add column "suite_id" uuid null,
      add column "position" int null,
      add column "suite" jsonb null,
      alter column "snapshot" drop not null`)
    this.addSql(
      `create index "execution_suite_id_position_index" on "test_execution"."execution" ("suite_id", "position")`,
    )
    this.addSql(
      `create index "execution_context_id_id_index" on "test_execution"."execution" ("context_id", "id")`,
    )
    this.addSql(
      `create index "execution_waiting_index" on "test_execution"."execution" ("id") where state = 'RUNNING' and attempt = 0`,
    )
    this.addSql(`create table "test_execution"."suite_member" (
      "suite_id" uuid not null,
      "position" int not null,
      "context_id" varchar(255) not null,
      "context_name" text not null,
      "use_code_coverage" boolean not null,
      "snapshot" jsonb not null,
      primary key ("suite_id", "position"))`)
    this.addSql(`create table "test_execution"."component_suite" (
      "component_id" varchar(255) not null,
      "environment_id" varchar(255) not null,
      "suite_id" varchar(255) not null,
      primary key ("component_id", "environment_id"))`)
    this.addSql(
      `alter table "test_execution"."component_suite" add constraint "component_suite_suite_id_unique" unique ("suite_id")`,
    )
  }
}
