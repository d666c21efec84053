import pg from 'pg'
import { useDataDirDatabase } from '../../platform/data-dir/data-dir-database.ts'
import type { Assay } from '../support/assay.ts'
import { copyExecution } from '../support/web/large-store.ts'
import { type Client, createClient } from './client.ts'
import { CREDENTIALS, execute, ID, store } from './execution.ts'
import { processorMs } from './processor-time.ts'
import { format, print, summarize } from './samples.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const STORED = 100_000
const BATCH = 2_000
const READS = 5
/** A scenario of the examples, whose component one execution alone has run. */
const RARE = 'tax-table'
const INDEX = 'test_execution.execution_revisions_index'
const CREATE =
  'create index execution_revisions_index on test_execution.execution using gin (revisions jsonb_path_ops)'

const WRITTEN = 'id in (select id from written)'

interface Round {
  /** µs of a processor for each execution: its row is inserted, begun and ended. */
  write: number
  /** ms of a page of 50 executions of a component. */
  rare: number
  common: number
}

/** The index over revisions: what executions pay for it, and what lists of a component get, beside the same without it. */
export async function benchRevisionIndex(assay: Assay): Promise<void> {
  print(
    `\n## Index over revisions: ${STORED} executions, ${ROUNDS} rounds of ${BATCH} with it and without`,
  )
  const client = createClient(assay.url)
  await store(client)
  const of = await execute(client)
  const headers = { credentials: CREDENTIALS }
  await client.rest('POST', `/testcase/${RARE}/execute?synchron=true`, { headers })
  const silent = { info: () => {}, warn: () => {} }
  const { url, stop } = await useDataDirDatabase(assay.env.DATA_DIR ?? '', silent)
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  try {
    const columns = { steps: `'[]'::jsonb` }
    await copyExecution(url, { of, count: STORED, apartMs: 10, columns })
    const size = await database.query(`select pg_relation_size('${INDEX}') as bytes`)
    print(`it takes ${(Number(size.rows[0].bytes) / 1024 / 1024).toFixed(1)} MiB`)
    const [withIt, without]: Round[][] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      withIt?.push(await measure(client, database, of, true))
      await database.query(`drop index ${INDEX}`)
      without?.push(await measure(client, database, of, false))
      await database.query(CREATE)
    }
    report('with it', withIt ?? [])
    report('without', without ?? [])
  } finally {
    await database.end()
    await stop()
  }
}

async function measure(
  client: Client,
  database: pg.Client,
  of: string,
  isThere: boolean,
): Promise<Round> {
  await database.query('vacuum analyze test_execution.execution')
  const { rows } = await database.query('select pg_backend_pid() as pid')
  const before = await processorMs([rows[0].pid])
  await writeBatch(database, of, isThere)
  const write = (((await processorMs([rows[0].pid])) - before) * 1_000) / BATCH
  await database.query(`delete from test_execution.execution where ${WRITTEN}`)
  await database.query('drop table written')
  await database.query('vacuum analyze test_execution.execution')
  return { write, rare: await readMs(client, RARE), common: await readMs(client, ID) }
}

/** Inserts, begins and ends executions as the product does; work that the index puts off is done, too. */
async function writeBatch(database: pg.Client, of: string, isThere: boolean): Promise<void> {
  await database.query(
    `create temp table written as
    select gen_random_uuid() as id from generate_series(1, ${BATCH})`,
  )
  await database.query(
    `insert into test_execution.execution
    select (jsonb_populate_record(e, jsonb_build_object(
      'id', written.id, 'state', 'RUNNING', 'attempt', 0, 'ended', null))).*
    from test_execution.execution e, written where e.id = $1`,
    [of],
  )
  const set = (columns: string) =>
    database.query(`update test_execution.execution set ${columns} where ${WRITTEN}`)
  await set('attempt = 1')
  await set(`state = 'COMPLETED', ended = now()`)
  if (isThere) await database.query(`select gin_clean_pending_list('${INDEX}')`)
}

async function readMs(client: Client, component: string): Promise<number> {
  const read = () =>
    client.graphql(
      `query ($filter: ExecutionResultFilter) { executionResults(first: 50, filter: $filter) { nodes { id } } }`,
      { filter: { components: [component] } },
    )
  const times: number[] = []
  for (let each = 0; each < READS; each++) times.push(await timeOf(read))
  return summarize(times).p50
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await act()
  return performance.now() - begin
}

function report(name: string, rounds: readonly Round[]): void {
  const median = (of: (round: Round) => number) => format(summarize(rounds.map(of)).p50)
  const [write, rare, common] = [
    median((each) => each.write),
    median((each) => each.rare),
    median((each) => each.common),
  ]
  print(
    `${name}: ${write} µs of a processor for each execution, ${rare} ms for a page of the rare component, ${common} ms for one of all`,
  )
}
