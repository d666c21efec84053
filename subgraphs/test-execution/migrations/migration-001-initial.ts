import { Migration } from '@mikro-orm/migrations'

/** Artifacts, executions and their updates. */
export class Migration001Initial extends Migration {
  override up(): void {
    this.addSql(`create table "test_execution"."artifact" (
      "id_space" varchar(255) not null,
      "id" varchar(255) not null,
      "kind" varchar(255) not null,
      "name" text not null,
      "description" text null,
      "revision" int not null,
      "created" timestamptz(3) not null,
      "updated" timestamptz(3) not null,
      "fields" jsonb not null,
      primary key ("id_space", "id"))`)
    this.addSql(
      `alter table "test_execution"."artifact" add constraint "artifact_kind_name_unique" unique ("kind", "name")`,
    )
    this.addSql(`create table "test_execution"."execution" (
      "id" uuid not null primary key,
      "type" varchar(255) not null,
      "context_id" varchar(255) not null,
      "context_name" text not null,
      "state" varchar(255) not null,
      "attempt" int not null,
      "update_count" int not null,
      "started" timestamptz(3) not null,
      "ended" timestamptz(3) null,
      "message" text null,
      "error_code" varchar(255) null,
      "executed_by" text not null,
      "use_code_coverage" boolean not null,
      "steps" jsonb not null,
      "validation_failures" jsonb not null,
      "code_coverage" jsonb not null,
      "snapshot" jsonb not null,
      "credentials" text null)`)
    this.addSql(`create table "test_execution"."execution_update" (
      "execution_id" uuid not null,
      "seq" int not null,
      "kind" varchar(255) not null,
      "state" varchar(255) not null,
      "step" jsonb null,
      "log" jsonb null,
      primary key ("execution_id", "seq"))`)
  }
}
