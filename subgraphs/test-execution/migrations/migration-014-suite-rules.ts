import { Migration } from '@mikro-orm/migrations'

const EXECUTION = '"test_execution"."execution"'
const MEMBER = '"test_execution"."suite_member"'

/** Rules of scenarios and suites about tries, quarantine, needs, setup and teardown, with their outcome; and files of executions. */
export class Migration014SuiteRules extends Migration {
  override up(): void {
    for (const [kind, defaults] of Object.entries(DEFAULTS))
      this.addSql(`update "test_execution"."artifact"
        set "fields" = '${JSON.stringify(defaults)}' || "fields" where "kind" = '${kind}'`)
    this.addSql(`alter table ${EXECUTION}
      add column "tries" jsonb not null default '[]',
      add column "is_quarantined" boolean not null default false,
      add column "captures" text null`)
    this.addSql(`alter table ${MEMBER}
      add column "needs" int[] not null default '{}',
      add column "is_teardown" boolean not null default false`)
    this.addSql(`create table "test_execution"."attachment_content" (
      "sha256" text not null primary key, "content" bytea not null)`)
    this.addSql(`create table "test_execution"."attachment" ("id" uuid not null primary key,
      "execution_id" uuid not null, "name" text not null, "content_type" text not null,
      "size" int not null, "sha256" text not null)`)
    for (const column of ['execution_id', 'sha256'])
      this.addSql(`create index "attachment_${column}_index"
        on "test_execution"."attachment" ("${column}")`)
  }
}

const DEFAULTS = {
  testcase: { retries: 0, quarantine: false, needs: [] },
  suite: { environments: [] },
}
