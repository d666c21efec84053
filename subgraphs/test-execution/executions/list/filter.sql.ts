import { type RawBuilder, sql } from 'kysely'
import { checkText, isDatabaseText } from '../../../../platform/database/database-text.ts'
import { likeLiteral, readWildcards } from '../../artifacts/list/wildcard.ts'
import { causeIdOf } from '../causes/cause-id.ts'
import { UUID } from '../execution.rows.ts'
import { checkValues, type ExecutionFilter, labelValues, leavesOutTries } from './filter.ts'
import type { ExecutionLabelFilter } from './list.args.ts'

type Bool = RawBuilder<boolean>

/**
 * Conditions on executions, with `execution` as the name of their row. Whatever a client gave is a bound parameter.
 * @throws AppError BAD_USER_INPUT for a text that no database can hold, and for too many values
 */
export function whereOf(filter: ExecutionFilter): Bool {
  const { contextId, contextIds, type, states, labels, environments, executedBy, names } = filter
  const { ids, causes, errorCodes, messages, startedBy, useCodeCoverage, components, tags } = filter
  const { text, startedFrom, startedBefore, endedFrom, endedBefore, isMember } = filter
  checkValues(filter)
  checkText('filter', { ...filter, contextId: null })
  const conditions: Bool[] = [
    contextId != null &&
      (isDatabaseText(contextId)
        ? sql<boolean>`execution.context_id = ${contextId}`
        : sql<boolean>`false`),
    ids != null && idSql(ids),
    contextIds != null && textSql('execution.context_id', contextIds),
    type != null && sql<boolean>`execution.type = ${type}`,
    states != null && sql<boolean>`execution.state = any(${[...states]}::text[])`,
    ...(labels ?? []).map(labelSql),
    environments != null && textSql('execution.environment_id', environments),
    components != null && componentSql(components),
    tags != null && tagSql(tags),
    executedBy != null && textSql('execution.executed_by', executedBy),
    startedBy != null && sql<boolean>`execution.started_by = any(${[...startedBy]}::text[])`,
    leavesOutTries(filter) && sql<boolean>`execution.started_by <> 'EDITOR'`,
    names != null &&
      (names.every((name) => 'exact' in readWildcards(name))
        ? textSql('execution.context_name', names)
        : nameSql(textSql('name', names))),
    errorCodes != null && errorCodeSql(errorCodes),
    messages != null && textSql('execution.message', messages),
    causes != null && textSql('execution.cause_id', causes.map(causeIdOf)),
    useCodeCoverage != null && sql<boolean>`execution.use_code_coverage = ${useCodeCoverage}`,
    text != null && nameSql(sql`name ilike ${`%${likeLiteral(text)}%`}`),
    startedFrom != null && sql<boolean>`execution.started >= ${startedFrom}`,
    startedBefore != null && sql<boolean>`execution.started < ${startedBefore}`,
    endedFrom != null && sql<boolean>`execution.ended >= ${endedFrom}`,
    endedBefore != null && sql<boolean>`execution.ended < ${endedBefore}`,
    isMember != null &&
      sql<boolean>`execution.suite_id is ${sql.raw(isMember ? 'not null' : 'null')}`,
  ].filter((condition) => condition !== false)
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`
}

/** Exact values stay apart from patterns: an index finds them. Null is an absent value. */
function textSql(column: string, texts: readonly (string | null)[]): Bool {
  const read = texts.filter((text) => text !== null).map(readWildcards)
  const exact = read.flatMap((each) => ('exact' in each ? [each.exact] : []))
  const patterns = read.flatMap((each) => ('pattern' in each ? [each.pattern] : []))
  const of = sql.ref(column)
  const anyOf = [
    exact.length > 0 && sql`${of} = any(${exact}::text[])`,
    patterns.length > 0 && sql`${of} like any(${patterns}::text[])`,
    texts.includes(null) && sql`${of} is null`,
  ].filter((each) => each !== false)
  return anyOfSql(anyOf)
}

/** Ids are UUIDs in lower case: a text that is none matches nothing. */
function idSql(ids: readonly string[]): Bool {
  const uuids = ids.filter((id) => UUID.test(id) && id === id.toLowerCase())
  const patterns = ids.map(readWildcards).flatMap((id) => ('pattern' in id ? [id.pattern] : []))
  const anyOf = [sql`execution.id = any(${uuids}::uuid[])`]
  if (patterns.length > 0) anyOf.push(sql`execution.id::text like any(${patterns}::text[])`)
  return anyOfSql(anyOf)
}

/** An index finds exact ids. */
const componentSql = (ids: readonly string[]): Bool =>
  ranSql(ids, {
    holding: (id) => ({ kind: 'component', id }),
    like: (patterns) => sql`ran ->> 'kind' = 'component' and ran ->> 'id' like any(${patterns})`,
  })

/** An index finds exact tags. */
const tagSql = (tags: readonly string[]): Bool =>
  ranSql(tags, {
    holding: (tag) => ({ tags: [tag] }),
    like: (patterns) => sql`exists (
      select from jsonb_array_elements_text(ran -> 'tags') as tag where tag like any(${patterns}))`,
  })

/** @param holding what one of the revisions contains */
function ranSql(texts: readonly string[], { holding, like }: RevisionTest): Bool {
  const read = texts.map(readWildcards)
  const exact = read.flatMap((each) => ('exact' in each ? [each.exact] : []))
  const patterns = read.flatMap((each) => ('pattern' in each ? [each.pattern] : []))
  const contains = (text: string) =>
    sql`execution.revisions @> ${JSON.stringify([holding(text)])}::jsonb`
  const matches = sql`exists (
    select from jsonb_array_elements(execution.revisions) as ran where ${like(sql`${patterns}::text[]`)})`
  return anyOfSql([...exact.map(contains), ...(patterns.length > 0 ? [matches] : [])])
}

interface RevisionTest {
  holding(text: string): object
  like(patterns: RawBuilder<unknown>): RawBuilder<unknown>
}

/** Only an ERROR has a code, and states have an index. */
function errorCodeSql(codes: readonly (string | null)[]): Bool {
  const matches = textSql('execution.error_code', codes)
  return codes.includes(null) ? matches : sql`(execution.state = 'ERROR' and ${matches})`
}

const anyOfSql = (conditions: readonly RawBuilder<unknown>[]): Bool =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`

/**
 * There are far fewer names than executions: the index steps from one to the next (a loose index scan), and the matching
 * ones are looked up in it.
 */
const nameSql = (holds: Bool): Bool => sql`execution.context_name = any(array(
  with recursive names as (
    (select context_name as name from test_execution.execution order by context_name limit 1)
    union all
    select (select context_name from test_execution.execution as other
      where other.context_name > names.name order by other.context_name limit 1)
    from names where names.name is not null)
  select name from names where ${holds}))`

const labelSql = (label: ExecutionLabelFilter): Bool =>
  anyOfSql(labelValues(label).map((value) => labelValueSql(label.name, value)))

function labelValueSql(name: string, value: string | null): Bool {
  if (value === null) return sql`execution.labels ->> ${name}::text is null`
  const read = readWildcards(value)
  return 'exact' in read
    ? sql`execution.labels @> ${JSON.stringify({ [name]: read.exact })}::jsonb`
    : sql`execution.labels ->> ${name}::text like ${read.pattern}`
}
