import { Migration } from '@mikro-orm/migrations'

/** The user who stored each revision of an artifact. */
export class Migration022RevisionUsers extends Migration {
  override up(): void {
    for (const table of ['artifact', 'artifact_revision'])
      this.addSql(`alter table "test_execution"."${table}" add column "updated_by" text null`)
  }
}
