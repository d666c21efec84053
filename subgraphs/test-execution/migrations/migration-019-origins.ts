import { Migration } from '@mikro-orm/migrations'

const TABLE = '"test_execution"."execution"'

/** The origin of each execution, and its neighbours in a chain of repetitions. */
export class Migration019Origins extends Migration {
  override up(): void {
    this.addSql(`alter table ${TABLE}
      add column "started_by" varchar(255) not null default 'USER',
      add column "again_of" uuid null,
      add column "again_id" uuid null`)
    this.addSql(`create index "execution_started_by_id_index" on ${TABLE} ("started_by", "id")`)
  }
}
