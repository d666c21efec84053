import { startOrm } from '../../../platform/database/orm.ts'
import { HorizonRepository } from '../../../platform/position/horizon.repository.ts'
import { migrations } from '../../../subgraphs/events/migrations/index.ts'
import { SearchRepository } from '../../../subgraphs/events/read/index/search.repository.ts'
import { entities } from '../../../subgraphs/events/tables/entities.ts'
import { format, print, summarize } from '../samples.ts'
import { lists } from './lists.ts'
import { administer, isBehind, type Running } from './product.ts'

/** Fewer with BENCH_EVENTS; each has ten occurrences, over the days that are there. */
export const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000)
export const OCCURRENCES = 10
const RUNS = 5
/** Transactions of each half of a day. */
const PARTS = 20

/** Time that lists take, with their totals, over REST. */
export async function benchReading({ assay, url, databaseUrl }: Running): Promise<void> {
  print(
    `\n## Reading, ${EVENTS} events and ${EVENTS * OCCURRENCES} occurrences, ${RUNS} times each`,
  )
  await fill(databaseUrl)
  const { rows } = await administer(databaseUrl, 'select id from events.event limit 1')
  for (const [title, path] of lists(rows[0].id)) {
    const samples: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const begin = performance.now()
      const answer = await fetch(url + path)
      const text = await answer.text()
      samples.push(performance.now() - begin)
      if (!answer.ok) throw new Error(`${title} answers ${text}`)
    }
    const { p50, max } = summarize(samples)
    print(`${format(p50).padStart(6)} ms (slowest ${format(max)})  GET /v1/events${title}`)
  }
  const histogram = await fetch(`${assay.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ eventHistogram(interval: MINUTE) { occurrences } }' }),
  })
  print(`eventHistogram answers ${histogram.status}`)
}

/** Into the product's own tables, and the search tables by the product's own code, with their indexes made afterwards. */
export async function fill(url: string): Promise<void> {
  const begin = performance.now()
  const step = (what: string) =>
    print(`  ${what} after ${((performance.now() - begin) / 1_000).toFixed(0)} s`)
  await administer(url, INSERT_EVENTS)
  step('events')
  for (const statement of insertOccurrences()) await administer(url, statement)
  step('occurrences')
  const { rows } = await administer(url, SEARCH_INDEXES)
  for (const { name } of rows) await administer(url, `drop index events.${name}`)
  const orm = await startOrm({ url, schema: 'events', entities, migrations })
  const search = new SearchRepository(orm, new HorizonRepository(orm.em, 'events', console))
  while (await isBehind(url)) await search.fill(200_000)
  await orm.close()
  step('search tables')
  for (const { definition } of rows) await administer(url, definition)
  step('their indexes')
  await administer(url, 'vacuum analyze')
  step('statistics')
}

const INSERT_EVENTS = `
  insert into events.event (id, fingerprint, fingerprint_fields, fingerprint_values, title, message, severity, status,
    source_ref, source_type, properties, tags, event_class, first_seen_at, last_seen_at, last_updated_at, times_seen)
  select md5(n::text)::uuid, md5(n::text), '["@title"]', '[]', 'Disk number ' || n || ' is full', 'in the way of order ' || n,
    case when n % 1000 = 0 then 'CRITICAL' else 'INFO' end, case when n % 100 = 1 then 'OPEN' else 'OK' end,
    'host-' || n % 10000, 'host', jsonb_build_object('order', n, 'latency', n * 7919::bigint % 10000),
    jsonb_build_array(case when n % 10000 = 2 then 'rare' else 'common' end), case when n % 10000 = 3 then 'rare' end,
    now() - n * interval '1 second', now() - n * interval '1 second', now(), case when n % 10000 = 4 then 500 else ${OCCURRENCES} end
  from generate_series(1, ${EVENTS}) as n`

/** In transactions of half a day each, and parts of it: the planner must not take them for one. */
const insertOccurrences = (): string[] =>
  Array.from({ length: OCCURRENCES * PARTS }, (_, at) =>
    insertPart(Math.floor(at / PARTS) - 2, at % PARTS),
  )

const insertPart = (halfDay: number, part: number): string => `
  insert into events.raw_event (event_id, is_new, title, message, severity, status, source_ref, source_type, properties,
    tags, event_class, occurred_at, received_at)
  select id, ${halfDay === 1}, title, message, severity, status, source_ref, source_type, properties, tags, event_class,
    first_seen_at, date_trunc('day', now()) + ${halfDay} * interval '12 hours'
  from events.event where (properties -> 'order')::int % ${PARTS} = ${part}`

const SEARCH_INDEXES = `
  select relname as name, replace(pg_get_indexdef(pg_class.oid), ' ON ONLY ', ' ON ') as definition
  from pg_class join pg_index on indexrelid = pg_class.oid join pg_am on pg_am.oid = relam
  where indrelid in ('events.raw_content'::regclass, 'events.event_search'::regclass)
    and (amname = 'gin' or relname like '%ref_index')`
