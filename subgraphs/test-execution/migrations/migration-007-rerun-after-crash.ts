import { Migration } from '@mikro-orm/migrations'

/** Scenarios say whether they run once more after their worker was lost; so far all did. */
export class Migration007RerunAfterCrash extends Migration {
  override up(): void {
    this.addSql(`update "test_execution"."artifact"
      set "fields" = '{"rerunAfterCrash": true}' || "fields" where "kind" = 'testcase'`)
    this.addSql(`update "test_execution"."execution"
      set "snapshot" = '{"rerunAfterCrash": true}' || "snapshot" where "snapshot" is not null`)
    this.addSql(`update "test_execution"."suite_member"
      set "snapshot" = '{"rerunAfterCrash": true}' || "snapshot"`)
  }
}
