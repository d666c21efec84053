import { Migration } from '@mikro-orm/migrations'

/** Lists of artifacts in an order that is the same everywhere, filters by attribute, and sealed secrets. */
export class Migration003ArtifactLists extends Migration {
  override up(): void {
    this.addSql(`alter table "test_execution"."artifact"
      alter column "id" type varchar(255) collate "C",
      alter column "name" type text collate "C",
      alter column "description" type text collate "C",
      add column "sealed" jsonb not null default '{}'`)
    this.addSql(
      `create index "artifact_kind_id_index" on "test_execution"."artifact" ("kind", "id")`,
    )
    this.addSql(
      `create index "artifact_fields_index" on "test_execution"."artifact" using gin ("fields" jsonb_path_ops)`,
    )
  }
}
