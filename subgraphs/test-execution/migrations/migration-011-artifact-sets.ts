import { Migration } from '@mikro-orm/migrations'

/** Artifacts that are applied together carry the name of their set, so that a later apply can prune. */
export class Migration011ArtifactSets extends Migration {
  override up(): void {
    this.addSql(`alter table "test_execution"."artifact" add column "set_name" text null`)
    this.addSql(
      `create index "artifact_set_name_index" on "test_execution"."artifact" ("set_name") where set_name is not null`,
    )
  }
}
