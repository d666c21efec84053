import { Migration } from '@mikro-orm/migrations'

/** Artifacts as they were before their last changes. */
export class Migration015ArtifactRevisions extends Migration {
  override up(): void {
    this.addSql(`create table "test_execution"."artifact_revision" (
      "id_space" varchar(255) not null, "id" varchar(255) not null, "revision" int not null,
      "name" text not null, "description" text null, "updated" timestamptz(3) not null,
      "fields" jsonb not null,
      primary key ("id_space", "id", "revision"))`)
  }
}
