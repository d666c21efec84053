import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseProcesses, Folders, query, serverPid } from './holder.ts'

const folders = new Folders()
afterEach(() => folders.clear())

test('the first start creates the database and the second finds its data', async () => {
  const folder = await folders.create()
  const first = folders.hold(folder)
  await query(await first.url(), 'create table kept as select 1 as n')
  await first.stop()
  const second = folders.hold(folder)
  expect(await query(await second.url(), 'select n from kept')).toEqual([{ n: 1 }])
  await second.stop()
  expect(second.unheard).toEqual([])
})

test('the database is durable, listens on loopback alone and wants a password', async () => {
  const holder = folders.hold(await folders.create())
  const url = await holder.url()
  const settings = await query(
    url,
    `select name, setting from pg_settings where name in
     ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'unix_socket_directories')`,
  )
  expect(settings).toEqual(
    expect.arrayContaining([
      { name: 'fsync', setting: 'on' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'unix_socket_directories', setting: '' },
    ]),
  )
  const wrong = new URL(url)
  wrong.password = 'wrong'
  await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
  await holder.stop()
})

test('the database never runs as root, nor sees our environment', async () => {
  process.env.ASSAY_TEST_SECRET = 'not for the database'
  const folder = await folders.create()
  const holder = folders.hold(folder)
  await holder.url()
  delete process.env.ASSAY_TEST_SECRET
  const { uid } = await stat(join(folder, 'postgres'))
  expect(uid).not.toBe(0)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  if (process.platform === 'linux') {
    const environment = await readFile(`/proc/${await serverPid(folder)}/environ`, 'utf8')
    expect(environment).not.toContain('ASSAY_TEST_SECRET')
  }
  await holder.stop()
})

/** A slow machine may see too late that a start has begun; then another one is killed. */
async function killedHalfway(): Promise<string> {
  const folder = await folders.create()
  const first = folders.hold(folder)
  let isOver = false
  const over = () => {
    isOver = true
  }
  first.url().then(over, over)
  while (!isOver)
    if ((await readdir(folder)).some((name) => name.startsWith('postgres.init-'))) {
      await first.kill()
      return folder
    }
  await first.stop()
  return killedHalfway()
}

test('a first start that was killed leaves nothing half-made', async () => {
  const folder = await killedHalfway()
  const second = folders.hold(folder)
  expect(await query(await second.url(), 'select 1 as n')).toEqual([{ n: 1 }])
  expect((await readdir(folder)).sort()).toEqual(['keys.json', 'postgres'])
  await second.stop()
})

test('a database that root restored from a backup is given back to the account that runs it', async () => {
  const folder = await folders.create()
  const first = folders.hold(folder)
  await query(await first.url(), 'create table kept as select 1 as n')
  await first.stop()
  const restored = await folders.create()
  await cp(folder, restored, { recursive: true })
  const second = folders.hold(restored)
  expect(await query(await second.url(), 'select n from kept')).toEqual([{ n: 1 }])
  await second.stop()
})

test('a pid file whose pid another program has now is no obstacle', async () => {
  const folder = await folders.create()
  const first = folders.hold(folder)
  await first.url()
  const pidFile = join(folder, 'postgres/postmaster.pid')
  const written = await readFile(pidFile, 'utf8')
  await first.stop()

  const { uid, gid } = await stat(join(folder, 'postgres'))
  const other = spawn('sleep', ['60'], { uid, gid, cwd: '/' })
  try {
    await writeFile(pidFile, written.replace(/^\d+/, String(other.pid)))
    const second = folders.hold(folder)
    await second.url()
    expect(await serverPid(folder)).not.toBe(other.pid)
    expect(other.exitCode ?? other.signalCode).toBeNull()
    await second.stop()
  } finally {
    other.kill()
    await once(other, 'exit')
  }
})

test('a database without its keys, or with others, is refused in words that say what to restore', async () => {
  const folder = await folders.create()
  const first = folders.hold(folder)
  await first.url()
  await first.stop()
  const file = join(folder, 'keys.json')
  await rm(file)
  expect((await folders.hold(folder).hears('failed')).message).toMatch(
    /keys\.json is missing, .* restore it from a backup/,
  )
  expect(await readdir(folder)).toEqual(['postgres'])
  await writeFile(file, JSON.stringify({ databasePassword: 'another' }))
  expect((await folders.hold(folder).hears('failed')).message).toContain('restore the keys.json')
  expect(await databaseProcesses(folder)).toEqual([])
})

test('a folder that holds something else is refused and left alone', async () => {
  const folder = await folders.create()
  await writeFile(join(folder, 'postgres'), 'my notes')
  const holder = folders.hold(folder)
  expect((await holder.hears('failed')).message).toMatch(/holds something else.* set DATA_DIR$/)
  expect(await readFile(join(folder, 'postgres'), 'utf8')).toBe('my notes')
  expect((await readdir(folder)).sort()).toEqual(['keys.json', 'postgres'])
  expect(await databaseProcesses(folder)).toEqual([])
})
