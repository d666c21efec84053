import { Migration } from '@mikro-orm/migrations'
import { type Positioned, positionSql } from '../../../platform/position/position-sql.ts'

const POSITIONED: Positioned = {
  schema: 'test_execution',
  table: 'execution_update',
  sequence: 'execution_update_position_seq',
  lockSpace: 0x4102,
}

const INDEX = 'create index "execution_update_state_index" on "test_execution"."execution_update"'

/** State changes have positions of their own instead of transaction ids of the cluster, in the order that they had. */
export class Migration010Positions extends Migration {
  override up(): void {
    this.addSql(`lock table "test_execution"."execution_update"`)
    this.addSql(`create sequence "test_execution"."execution_update_position_seq"`)
    this.addSql(`alter table "test_execution"."execution_update" add column "position" bigint null`)
    this.addSql(`update "test_execution"."execution_update" as stored set "position" = numbered."nth"
      from (select "execution_id", "seq", row_number() over (order by "xact", "execution_id", "seq") as "nth"
        from "test_execution"."execution_update" where "kind" = 'STATE') as numbered
      where (stored."execution_id", stored."seq") = (numbered."execution_id", numbered."seq")`)
    this.addSql(`select setval('test_execution.execution_update_position_seq', greatest)
      from (select max("position") as greatest from "test_execution"."execution_update") as stored
      where greatest is not null`)
    this.addSql(`alter table "test_execution"."execution_update"
      alter column "position" set default nextval('test_execution.execution_update_position_seq'),
      drop column "xact"`)
    this.addSql(`alter sequence "test_execution"."execution_update_position_seq"
      owned by "test_execution"."execution_update"."position"`)
    this.addSql(`${INDEX} ("position") where "position" is not null`)
    for (const statement of positionSql(POSITIONED)) this.addSql(statement)
  }
}
