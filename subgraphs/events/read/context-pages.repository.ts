import { runSql, type Sql, type Statement } from '../../../platform/database/sql.ts'
import type { Range } from '../../../platform/paging/page.ts'
import { bytesOf } from '../tables/sized-rows.ts'

/** The first page of the events of one scenario or suite. */
export interface ContextPage {
  /** One more than the page's limit where the list goes on. */
  rows: object[]
  bytes: number
  /** The length of the whole list. */
  total: number
}

/** A context with more events than this is read by itself, as the planner finds best. */
const FEW = 100
/** Contexts of one statement, which so looks up ten thousand rows at most. */
export const CONTEXTS = 100

interface ReadRow {
  /** Place of its context among those that were asked for, from 1. */
  place: number
  bytes: number
  total: number
  linked: number
}

/**
 * First pages of contexts that have few events, for several callers at once: it takes about the same time for any of
 * them, so none waits long for another's.
 * @param contextIds CONTEXTS at most
 * @param most bytes of a page, which its last row may exceed, and of all pages
 * @returns by context; without those that have more events, or that the bytes leave no room for
 */
export async function readContextPages(
  sql: Sql,
  contextIds: readonly string[],
  { limit, isBackward }: Range,
  most: { pageBytes: number; bytes: number },
): Promise<Map<string, ContextPage>> {
  const parameters = [contextIds, limit + 1, most.pageBytes, most.bytes]
  const rows = await runSql<ReadRow>(sql, isBackward ? OLDEST : NEWEST, parameters)
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  const isCut = sumOf(rows) >= most.bytes
  const complete = isCut ? contextIds.slice(0, Math.max(...byPlace.keys()) - 1) : contextIds
  const pages = complete.map((id, at): [string, ContextPage] => {
    const found = byPlace.get(at + 1) ?? []
    return [id, { rows: found, bytes: sumOf(found), total: found[0]?.total ?? 0 }]
  })
  return new Map(pages.filter((_, at) => (byPlace.get(at + 1)?.[0]?.linked ?? 0) <= FEW))
}

const sumOf = (rows: readonly ReadRow[]): number => rows.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * $1: contexts; $2: rows of a page; $3: bytes of a page; $4: bytes of all. Executions mostly cause the same event again,
 * so its links are stepped over by the index. One plan fits all values: the planner is not shown them, as it would plan
 * anew for each, which takes longer than to read.
 */
const select = (direction: 'asc' | 'desc'): string => `
  with linked as (
    select context.place::int as place, linked.event_id, linked.number
    from unnest((select $1::text[])) with ordinality as context (id, place) cross join lateral (
      with recursive step (event_id, number) as (
        select (select event_id from events.execution_event where context_id = context.id order by event_id limit 1), 1
        union all
        select (
          select link.event_id from events.execution_event as link
          where link.context_id = context.id and link.event_id > step.event_id order by link.event_id limit 1
        ), step.number + 1
        from step where step.event_id is not null and step.number <= ${FEW}
      )
      select event_id, number from step where event_id is not null
    ) as linked
  ),
  key as (
    select place, event.id, (count(*) over context)::int as total, max(number) over context as linked,
      row_number() over (partition by place order by first_seen_at ${direction}, event.id ${direction}) as rank
    from linked join events.event on event.id = linked.event_id
    window context as (partition by place)
  ),
  sized as (
    select place, rank, total, linked, event.*, ${bytesOf('event')} as bytes
    from key join events.event using (id) where rank <= (select $2::int)
  ),
  paged as (
    select * from (
      select sized.*, sum(bytes) over (partition by place order by rank) as bytes_so_far
      from sized where linked <= ${FEW} or rank = 1
    ) as sized where bytes_so_far - bytes < $3::float8
  )
  select * from (
    select paged.*, sum(bytes) over (order by place, rank) as all_so_far from paged
  ) as page where all_so_far - bytes < $4::float8 order by place, rank`

const NEWEST: Statement = { name: 'newest-events-of-contexts', text: select('desc') }
const OLDEST: Statement = { name: 'oldest-events-of-contexts', text: select('asc') }
