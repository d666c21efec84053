import { type RawBuilder, sql } from 'kysely'
import { likeLiteral, readWildcards } from '../artifacts/list/wildcard.ts'
import type { ExecutionFilter, LabelFilter } from './execution-filter.ts'

type Bool = RawBuilder<boolean>

/** What executions must hold, with `execution` as the name of their row. Whatever a client gave is a bound parameter. */
export function whereOf(filter: ExecutionFilter): Bool {
  const { contextId, contextIds, type, states, labels, environments, executedBy, names } = filter
  const { text, startedFrom, startedBefore, endedFrom, endedBefore, isMember } = filter
  const conditions: Bool[] = [
    contextId != null && sql<boolean>`execution.context_id = ${contextId}`,
    contextIds != null && textSql('context_id', contextIds),
    type != null && sql<boolean>`execution.type = ${type}`,
    states != null && sql<boolean>`execution.state = any(${[...states]}::text[])`,
    ...(labels ?? []).map(labelSql),
    environments != null && textSql('environment_id', environments),
    executedBy != null && textSql('executed_by', executedBy),
    names != null && textSql('context_name', names),
    text != null && sql<boolean>`execution.context_name ilike ${`%${likeLiteral(text)}%`}`,
    startedFrom != null && sql<boolean>`execution.started >= ${startedFrom}`,
    startedBefore != null && sql<boolean>`execution.started < ${startedBefore}`,
    endedFrom != null && sql<boolean>`execution.ended >= ${endedFrom}`,
    endedBefore != null && sql<boolean>`execution.ended < ${endedBefore}`,
    isMember != null &&
      sql<boolean>`execution.suite_id is ${sql.raw(isMember ? 'not null' : 'null')}`,
  ].filter((condition) => condition !== false)
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`
}

/** Exact values stay apart from patterns: an index finds them. */
function textSql(column: string, texts: readonly string[]): Bool {
  const read = texts.map(readWildcards)
  const exact = read.flatMap((each) => ('exact' in each ? [each.exact] : []))
  const patterns = read.flatMap((each) => ('pattern' in each ? [each.pattern] : []))
  const of = sql.ref(`execution.${column}`)
  const anyOf = [
    exact.length > 0 && sql`${of} = any(${exact}::text[])`,
    patterns.length > 0 && sql`${of} like any(${patterns}::text[])`,
  ].filter((each) => each !== false)
  return anyOf.length === 0 ? sql`false` : sql`(${sql.join(anyOf, sql` or `)})`
}

function labelSql({ name, value }: LabelFilter): Bool {
  const read = readWildcards(value ?? '*')
  return 'exact' in read
    ? sql`execution.labels @> ${JSON.stringify({ [name]: read.exact })}::jsonb`
    : sql`execution.labels ->> ${name}::text like ${read.pattern}`
}
