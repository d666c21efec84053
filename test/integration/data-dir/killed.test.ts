import pg from 'pg'
import { databaseProcesses, Folders, query, serverPid } from './holder.ts'

const folders = new Folders()
afterEach(() => folders.clear())

/** A session that computes for hours and looks at nothing else meanwhile, as only some queries do. */
async function keepBusy(url: string): Promise<{ ended: Promise<unknown> }> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const ended = new Promise<void>((resolve) => client.on('end', resolve))
  client.query('select sum(sqrt(n)) from generate_series(1, 1e12::bigint) as n').catch(() => {})
  return { ended }
}

const isAlive = async (folder: string, pid: number) =>
  (await databaseProcesses(folder)).some((one) => one.pid === pid)

test('after a kill of the holder the next start ends the surviving database and keeps its data', async () => {
  const folder = await folders.create()
  const first = folders.hold(folder)
  await query(await first.url(), 'create table kept as select 1 as n')
  const orphan = await serverPid(folder)
  await first.kill()
  expect(await isAlive(folder, orphan)).toBe(true)

  const second = folders.hold(folder)
  expect(await query(await second.url(), 'select n from kept')).toEqual([{ n: 1 }])
  expect(await isAlive(folder, orphan)).toBe(false)
  await second.stop()
})

test('after a kill of the holder and its database the next start recovers every commit', async () => {
  const folder = await folders.create()
  const first = folders.hold(folder)
  const url = await first.url()
  await query(url, 'create table kept as select 1 as n')
  const busy = await keepBusy(url)
  const server = await serverPid(folder)
  await first.kill()
  process.kill(server, 'SIGKILL')

  const second = folders.hold(folder)
  await second.hears('info', /recovery in progress/)
  expect(await query(await second.url(), 'select n from kept')).toEqual([{ n: 1 }])
  await busy.ended
  await second.stop()
})

test('a database that is killed while in use comes back under its address', async () => {
  const folder = await folders.create()
  const holder = folders.hold(folder)
  const url = await holder.url()
  await query(url, 'create table kept as select 1 as n')
  const busy = await keepBusy(url)
  process.kill(await serverPid(folder), 'SIGKILL')
  await busy.ended
  await holder.hears('info', /runs again/)
  expect(await query(url, 'select n from kept')).toEqual([{ n: 1 }])
  await holder.stop()
})

test('a database process that hangs is ended all the same', async () => {
  const folder = await folders.create()
  const first = folders.hold(folder)
  await first.url()
  const server = await serverPid(folder)
  await first.kill()
  for (const { pid } of await databaseProcesses(folder)) process.kill(pid, 'SIGSTOP')

  const second = folders.hold(folder)
  await second.url()
  expect(await isAlive(folder, server)).toBe(false)
  await second.stop()
})
