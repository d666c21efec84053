import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../platform/data-dir/embedded-postgres.ts'
import { type Data, type RunningEvents, runEvents } from '../../support/events/running-events.ts'

let folder: string
let server: EmbeddedPostgres
let events: RunningEvents
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-crash-'))
  const log = { info: () => {}, warn: () => {} }
  server = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    password: 'test',
    log,
  })
  events = await runEvents({}, server.url)
})
afterAll(async () => {
  await events.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function killDatabase(): Promise<void> {
  const [pid] = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
}

test('a database that is killed under load loses nothing acknowledged, doubles nothing, and serves again', async () => {
  const acknowledged: string[] = []
  const refusals: Data[] = []
  let isOver = false
  const clients = Array.from({ length: 20 }, async (_, client) => {
    for (let request = 0; !isOver; request++) {
      const title = `${client} ${request}`
      await events.ingest([{ title }, { title: 'shared' }]).then(
        () => acknowledged.push(title),
        (error) => refusals.push(error.extensions?.code),
      )
    }
  })
  const progress = async () => {
    const before = acknowledged.length
    while (acknowledged.length < before + 100)
      await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await progress()
  for (let kill = 0; kill < 3; kill++) {
    await killDatabase()
    await progress()
  }
  isOver = true
  await Promise.all(clients)

  expect(refusals.filter((code) => code !== 'OVERLOADED')).toEqual([])
  const rows = await events.sql(
    `select title, times_seen::int as seen, (select count(*)::int from events.raw_event where event_id = event.id) as raw
     from events.event`,
  )
  const stored = new Map(rows.map(({ title, seen, raw }) => [title, { seen, raw }]))
  expect(acknowledged.filter((title) => !stored.has(title))).toEqual([])
  expect(rows.filter(({ title, seen }) => title !== 'shared' && seen !== 1)).toEqual([])
  const requests = rows.length - 1
  expect(stored.get('shared')).toEqual({ seen: requests, raw: requests })
})
