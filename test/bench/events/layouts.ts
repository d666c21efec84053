import { createHash } from 'node:crypto'
import pg from 'pg'
import { type Copy, copyOf, text } from '../../../platform/database/copy.ts'
import { closeOrm, startOrm } from '../../../platform/database/orm.ts'
import { inTransaction, runCopies, type Sql } from '../../../platform/database/sql.ts'
import type { Occurrence } from '../../../subgraphs/events/ingestion/occurrence.ts'
import { validate } from '../../../subgraphs/events/ingestion/validate.ts'
import { RAW_EVENT } from '../../../subgraphs/events/ingestion/writer.columns.ts'
import { deduplicate } from '../../../subgraphs/events/ingestion/writer.repository.ts'
import { SETTINGS } from '../../../subgraphs/events/ingestion/writer.statements.ts'
import { STORAGE } from '../../../subgraphs/events/storage.ts'
import { processorMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'
import { mixedBodies } from './mix.ts'
import { administer, type Running } from './product.ts'

/** Fewer with BENCH_EVENTS. */
const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000)
const ROUNDS = 10
/** Events of a transaction, the target of the product's writers. */
export const SHARE = 400

interface Row {
  occurrence: Occurrence
  isNew: boolean
  /** A hash of all that the columns of a content hold. */
  content: string
}

const OF_OCCURRENCE = ['event_id', 'is_new', 'occurred_at', 'received_at', 'execution_id']
const CONTENT = RAW_EVENT.filter(({ name }) => !OF_OCCURRENCE.includes(name))
const OCCURRENCE = RAW_EVENT.filter(({ name }) => OF_OCCURRENCE.includes(name))
const CONTENT_ID = text<Row>('content_id', ({ content }) => content)

const columnsOf = (columns: readonly { name: string; type: string }[]) =>
  columns.map(({ name, type }) => `${name} ${type}`).join()

/** Both with the indexes that the product has on occurrences. */
const TABLES = `
  create schema layouts;
  create table layouts.whole (id bigint generated always as identity, ${columnsOf(RAW_EVENT)});
  create table layouts.slim (id bigint generated always as identity, content_id bytea, ${columnsOf(OCCURRENCE)});
  create table layouts.content (content_id bytea primary key, ${columnsOf(CONTENT)});
  create unique index on layouts.whole (event_id, received_at, id);
  create index on layouts.whole (id);
  create unique index on layouts.slim (event_id, received_at, id);
  create index on layouts.slim (id)`

/**
 * Measures the cost of occurrences that are stored whole, as the product does, beside ones whose content is stored once: the same
 * events in alternating rounds, each of which ends with a checkpoint. Contents that were stored are known to this process
 * and never looked for, so storing them once appears at its best. A third layout is the product's whole transaction.
 */
export async function benchLayouts({ databaseUrl, databasePid, assay }: Running): Promise<void> {
  print(`\n## Layouts: ${EVENTS} events of the mix in each, ${ROUNDS} alternating rounds`)
  await assay.stop()
  await administer(databaseUrl, TABLES)
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const orm = await startOrm({ url: databaseUrl, ...STORAGE, poolSize: 1 })
  const write = async (store: (sql: Sql) => Promise<unknown>) => {
    await inTransaction(orm.em, store, { settings: SETTINGS })
  }
  const append = (copies: readonly Copy[]) => write((sql) => runCopies(sql, copies, 'select 1'))
  const known = new Set<string>()
  const layouts: Record<string, (group: readonly Occurrence[]) => Promise<void>> = {
    'occurrences whole': (group) => append(copyOf('layouts.whole', RAW_EVENT, group.map(rowOf))),
    'content once': (group) => {
      const rows = group.map(rowOf).map((row) => ({ ...row, content: hashOf(row.occurrence) }))
      const fresh = rows.filter(({ content }) => !known.has(content) && known.add(content))
      return append([
        ...copyOf('layouts.content', [CONTENT_ID, ...CONTENT], fresh),
        ...copyOf('layouts.slim', [CONTENT_ID, ...OCCURRENCE], rows),
      ])
    },
    'the whole transaction': (group) => write((sql) => deduplicate(sql, group)),
  }
  const logged = async () =>
    Number((await client.query(`select pg_current_wal_lsn() - '0/0' as bytes`)).rows[0].bytes)
  const used = async () => {
    const { user, system } = process.cpuUsage()
    return [await processorMs([databasePid]), (user + system) / 1_000, await logged()] as const
  }
  const body = mixedBodies()
  const samples = new Map<string, number[][]>()
  for (let round = 0; round < ROUNDS; round++) {
    const groups = groupsOf(body, EVENTS / ROUNDS)
    const all = Object.entries(layouts)
    for (const [name, store] of round % 2 ? all.toReversed() : all) {
      const before = await used()
      for (const group of groups) await store(group)
      await client.query('checkpoint')
      const after = await used()
      const each = after.map((value, at) => (value - (before[at] ?? 0)) / (EVENTS / ROUNDS))
      samples.set(name, [...(samples.get(name) ?? []), each])
    }
  }
  for (const [name, rounds] of samples) {
    const median = (at: number, scale = 1) =>
      format(summarize(rounds.map((each) => (each[at] ?? 0) * scale)).p50)
    print(
      `${name}: database ${median(0, 1_000)} µs, this process ${median(1, 1_000)} µs, ${median(2)} bytes of log for each event`,
    )
  }
  const { rows } = await client.query(SIZES)
  for (const { name, bytes } of rows) print(`  ${name}: ${format(bytes / EVENTS)} bytes for each`)
  print(`  ${known.size} contents`)
  await client.end()
  await closeOrm(orm)
}

const rowOf = (occurrence: Occurrence): Row => ({ occurrence, isNew: false, content: '' })

export function groupsOf(body: () => string, events: number): Occurrence[][] {
  const groups: Occurrence[][] = []
  for (let made = 0; made < events; made += SHARE) {
    const group: Occurrence[] = []
    while (group.length < SHARE)
      for (const item of JSON.parse(body()) as unknown[]) {
        const verdict = validate(item, new Date())
        if ('occurrence' in verdict) group.push(verdict.occurrence)
      }
    groups.push(group)
  }
  return groups
}

function hashOf({ title, message, severity, status, source, sender, ...rest }: Occurrence): string {
  const { properties, tags, eventClass } = rest
  const content = [title, message, severity, status, source, sender, properties, tags, eventClass]
  return createHash('sha256').update(JSON.stringify(content)).digest('base64').slice(0, 16)
}

const SIZES = `
  select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
  where relkind = 'r' and relnamespace = 'layouts'::regnamespace order by relname`
