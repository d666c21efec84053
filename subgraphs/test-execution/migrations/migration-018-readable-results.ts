import { Migration } from '@mikro-orm/migrations'

const EXECUTION = '"test_execution"."execution"'
/** No result can carry a larger integer. */
const MOST = 2 ** 31 - 1

/** Reports of tools once brought times and numbers of lines that no result can carry, so that it could not be read. */
export class Migration018ReadableResults extends Migration {
  override up(): void {
    this.addSql(`with mended as (
      update ${EXECUTION} set
        "steps" = ${mapped('"steps"', STEP)},
        "tries" = ${mapped('"tries"', `item || jsonb_build_object('steps', ${mapped(`item -> 'steps'`, STEP)})`)},
        "code_coverage" = ${mapped('"code_coverage"', COVERAGE)}
      where jsonb_path_exists("steps", '$[*] ${IS_BAD_STEP}')
        or jsonb_path_exists("tries", '$[*].steps[*] ${IS_BAD_STEP}')
        or jsonb_path_exists("code_coverage", '$[*].hitLines[*] ${IS_BAD_LINE}')
        or jsonb_path_exists("code_coverage", '$[*].untouchedLines[*] ${IS_BAD_LINE}')
      returning "id")
    update "test_execution"."execution_update" set "step" = ${STEP.replaceAll('item', '"step"')}
    where "execution_id" in (select "id" from mended) and jsonb_path_exists("step", '$ ${IS_BAD_STEP}')`)
  }
}

/** A time that is infinite was stored as null, and so was the beginning that follows from it. */
const IS_BAD_STEP = `? (@.durationMs > ${MOST} || @.durationMs < -${MOST} || @.started == null)`
const IS_BAD_LINE = `? (@ > ${MOST} || @ < 1 || @ != @.floor())`

/** Only the end is known of an unknown time, as it is stored now. */
const STEP = `case when jsonb_path_exists(item, '$ ${IS_BAD_STEP}')
  then item || jsonb_build_object('durationMs', null, 'started', item -> 'ended') else item end`

/** No file has such lines. */
const COVERAGE = `item || jsonb_build_object(
  'hitLines', jsonb_path_query_array(item, '$.hitLines[*] ? (!(@ > ${MOST} || @ < 1 || @ != @.floor()))'),
  'untouchedLines', jsonb_path_query_array(item, '$.untouchedLines[*] ? (!(@ > ${MOST} || @ < 1 || @ != @.floor()))'))`

/** The items of a list, in their order. @param each of `item` */
function mapped(list: string, each: string): string {
  return `(select coalesce(jsonb_agg(${each} order by "at"), '[]')
    from jsonb_array_elements(${list}) with ordinality as "items" (item, "at"))`
}
