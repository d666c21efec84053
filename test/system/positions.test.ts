import { setTimeout as delay } from 'node:timers/promises'
import { parse, subscribe } from 'graphql'
import pg from 'pg'
import { openCaller } from '../../platform/access/caller.ts'
import { StateChangeRepository } from '../../subgraphs/test-execution/executions/watch/state-change.repository.ts'
import { StateChanges } from '../../subgraphs/test-execution/executions/watch/state-changes.ts'
import { type Data, type RunningEvents, runEvents } from '../support/events/running-events.ts'
import { stateChangesStream } from '../support/position.ts'
import {
  type DebianPostgres,
  dumpAndRestore,
  startDebianPostgres,
} from '../support/system/debian-postgres.ts'

const clusters: DebianPostgres[] = []
async function start(options: { isAhead?: boolean } = {}): Promise<DebianPostgres> {
  const cluster = await startDebianPostgres(options)
  clusters.push(cluster)
  return cluster
}
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.stop()
})

const SUBSCRIPTION = parse(
  'subscription ($after: String) { eventReceived(after: $after) { cursor rawEvent { title } } }',
)

/** The first occurrences of a stream: titles, and the cursor of the last one. */
async function received({ schema }: RunningEvents, count: number, after: string) {
  const stream = await subscribe({
    schema,
    document: SUBSCRIPTION,
    variableValues: { after },
    contextValue: { caller: openCaller('test') },
  })
  if (!(Symbol.asyncIterator in stream)) throw stream.errors?.[0]
  return first(stream as AsyncIterableIterator<Data>, count, ({ data }) => [
    data.eventReceived.rawEvent.title,
    data.eventReceived.cursor,
  ])
}

async function first(
  stream: AsyncIterableIterator<Data>,
  count: number,
  read: (item: Data) => [name: string, cursor: string],
) {
  const names: string[] = []
  let cursor = ''
  while (names.length < count) {
    const [name, at] = read((await stream.next()).value)
    names.push(name)
    cursor = at
  }
  await stream.return?.()
  return { names, cursor }
}

const titles = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at + 1}`)

/** Begins executions, and follows the changes of all. */
async function changed(url: string, begun: string, count: number, after: string) {
  const { orm, horizon, insert } = await stateChangesStream(url)
  await orm.em.getConnection().execute(insert.replace('$1', `'${begun}'`).replace('$2', '3'))
  const changes = new StateChanges(new StateChangeRepository(orm.em, horizon), {
    subscribe: () => () => {},
  })
  const found = await first(await changes.watch({}, after), count, ({ execution, cursor }) => [
    execution.contextId,
    cursor,
  ])
  await orm.close()
  return found
}

/** Fills a store. @returns the cursors of what it holds last */
async function fill(url: string) {
  const events = await runEvents({}, url)
  await events.ingest(titles('old', 20).map((title) => ({ title })))
  await indexed(events)
  const { cursor } = await received(events, 20, '')
  await events.stop()
  return { events: cursor, changes: (await changed(url, 'old', 3, '')).cursor }
}

async function indexed(events: RunningEvents): Promise<void> {
  for (let late = 1; late > 0; await delay(20))
    [{ late }] = await events.sql(
      'select count(*)::int as late from events.raw_event as raw, events.search_position as indexed where raw.id > indexed.id',
    )
}

/** New events are found, and whoever resumes gets exactly these. */
async function expectGoesOn(url: string, cursors: Awaited<ReturnType<typeof fill>>) {
  const events = await runEvents({}, url)
  const news = titles('new', 20)
  await events.ingest(news.map((title) => ({ title })))
  const find = async () => {
    const { rawEvents } = await events.run(
      '{ rawEvents(query: "new", first: 100) { nodes { title } } }',
    )
    return rawEvents.nodes.map(({ title }: Data) => title).toReversed()
  }
  expect(await find()).toEqual(news)
  await indexed(events)
  expect(await find()).toEqual(news)
  expect((await received(events, 20, cursors.events)).names).toEqual(news)
  expect((await received(events, 40, '')).names).toEqual([...titles('old', 20), ...news])
  await events.stop()
  expect((await changed(url, 'new', 3, cursors.changes)).names).toEqual(titles('new', 3))
}

test.each([
  ['ahead of', false, true],
  ['behind', true, false],
])(
  'a dump is restored into a cluster whose transaction ids are far %s its own',
  async (_where, isFromAhead, isToAhead) => {
    const from = await start({ isAhead: isFromAhead })
    const to = await start({ isAhead: isToAhead })
    const cursors = await fill(from.url)
    await dumpAndRestore(from, to)
    await expectGoesOn(to.url, cursors)
  },
)

test('a logical replica is promoted', async () => {
  const from = await start()
  const to = await start({ isAhead: true })
  const cursors = await fill(from.url)
  await dumpAndRestore(from, to, '--schema-only', '--exclude-schema=pgboss')
  const [primary, replica] = await Promise.all([connect(from.url), connect(to.url)])
  await primary.query('create publication ours for tables in schema events, test_execution, audit')
  await replica.query(`create subscription ours connection '${from.url}' publication ours`)
  const pending = `select from pg_subscription_rel where srsubstate <> 'r'`
  while ((await replica.query(pending)).rowCount) await delay(50)
  await replica.query('drop subscription ours')
  await Promise.all([primary.end(), replica.end()])
  await expectGoesOn(to.url, cursors)
})

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}
