import { closeOrm, startOrm } from '../../../platform/database/orm.ts'
import { inTransaction } from '../../../platform/database/sql.ts'
import { HorizonRepository } from '../../../platform/position/horizon.repository.ts'
import { deduplicate } from '../../../subgraphs/events/ingestion/writer.repository.ts'
import { SETTINGS } from '../../../subgraphs/events/ingestion/writer.statements.ts'
import { SearchRepository } from '../../../subgraphs/events/read/index/search.repository.ts'
import { STORAGE } from '../../../subgraphs/events/storage.ts'
import { processorMs } from '../processor-time.ts'
import { format, print } from '../samples.ts'
import { groupsOf, SHARE } from './layouts.ts'
import { mixedBodies } from './mix.ts'
import { administer, type Running } from './product.ts'

/** Fewer with BENCH_EVENTS. */
const EVENTS = Number(process.env.BENCH_EVENTS ?? 48_000)
/** Before those that count: the hot problems have had their contents by then. */
const WARM_UP = EVENTS / 3

const LETTERS = ['raw_content_words_index', 'event_search_words_index']
const FIELDS = ['raw_content_content_index', 'event_search_content_index']

interface Set {
  name: string
  /** Events of a part; 0 leaves them without an index. */
  part: number
  dropped?: readonly string[]
}

/** Parts of 400 are those of 2 000 events/s that gather for 200 ms. */
const SETS: readonly Set[] = [
  { name: 'written, not indexed', part: 0 },
  { name: 'indexed in parts of 400', part: 400 },
  { name: 'the same without the indexes on three letters', part: 400, dropped: LETTERS },
  { name: 'without those on fields, too', part: 400, dropped: [...LETTERS, ...FIELDS] },
  { name: 'indexed in parts of 2 000', part: 2_000 },
  { name: 'indexed in parts of 8 000', part: 8_000 },
]

/** Measures the database's share of an event, and the parts of the index in it: each set has tables of its own. */
export async function benchIndexing(running: Running): Promise<void> {
  print(`\n## Indexing: ${EVENTS} events of the mix for each, behind ${WARM_UP} others`)
  const databases: string[] = []
  for (const _ of SETS) databases.push(await running.copyOfTables())
  await running.assay.stop()
  for (const [at, set] of SETS.entries()) {
    const url = databases[at] ?? ''
    for (const index of set.dropped ?? []) await administer(url, `drop index events.${index}`)
    const { us, bytes } = await costOf({ url, pid: running.databasePid, part: set.part })
    print(`${set.name}: ${format(us)} µs of the database, ${format(bytes)} bytes of log an event`)
  }
}

async function costOf({ url, pid, part }: { url: string; pid: number; part: number }) {
  const orm = await startOrm({ url, ...STORAGE, poolSize: 4 })
  const search = new SearchRepository(orm, new HorizonRepository(orm.em, 'events', console))
  const body = mixedBodies()
  let waiting = 0
  const write = async (events: number) => {
    for (let written = 0; written < events; written += SHARE) {
      const [group = []] = groupsOf(body, SHARE)
      await inTransaction(orm.em, (sql) => deduplicate(sql, group), { settings: SETTINGS })
      waiting += group.length
      if (part === 0 || waiting < part) continue
      waiting = 0
      while (!(await search.fill(part * 2)).isAll);
    }
  }
  const used = async () => {
    const log = await administer(url, `select pg_current_wal_insert_lsn() - '0/0' as bytes`)
    return { ms: await processorMs([pid]), bytes: Number(log.rows[0].bytes) }
  }
  await write(WARM_UP)
  const before = await used()
  await write(EVENTS)
  await administer(url, 'vacuum')
  const after = await used()
  await closeOrm(orm)
  return {
    us: ((after.ms - before.ms) * 1_000) / EVENTS,
    bytes: (after.bytes - before.bytes) / EVENTS,
  }
}
