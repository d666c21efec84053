import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Assay, startAssay } from '../support/assay.ts'
import { type Collector, startCollector, status } from '../support/collector.ts'
import { createDatabase } from '../support/database.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../support/e2e/users.ts'
import { eventually } from '../support/eventually.ts'
import { type DebianPostgres, startDebianPostgres } from '../support/system/debian-postgres.ts'
import { goesOn } from '../support/system/goes-on.ts'
import { Load } from '../support/system/load.ts'
import { ask, run, type StoreSettings, start } from '../support/system/store.ts'

const SIGN_IN = basic(ADMIN, ADMIN_PASSWORD)
const CREDENTIALS = { credentials: Buffer.from('ci:secret').toString('base64') }

let folder: string
let debian: DebianPostgres
let collector: Collector
let assay: Assay | undefined
let load: Load
/** A result that was there before the backup. */
let resultId: string
/** Each of the three stores in turn, and the backups between them. */
let first: StoreSettings
let second: StoreSettings
let third: StoreSettings
let backup: string
let keys: Record<string, string>

const open = async (place: StoreSettings, env: Record<string, string> = {}): Promise<Client> => {
  await close()
  assay = await startAssay({ mode: 'in-process', env: { ...USERS_ENV, ...place, ...env } })
  return new Client(assay.url)
}

const close = async (): Promise<void> => {
  await assay?.stop()
  assay = undefined
}

const execute = (client: Client, query = '') =>
  client.rest('POST', `/testcase/loan-schedule/execute?${query}`, { ...SIGN_IN, ...CREDENTIALS })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-backup-'))
  first = { DATA_DIR: join(folder, 'first') }
  third = { DATA_DIR: join(folder, 'third') }
  backup = join(folder, 'first.backup.gz')
  collector = await startCollector(status(503))
  debian = await startDebianPostgres()
  second = { DATABASE_URL: debian.url }
})

afterAll(async () => {
  await close()
  await debian?.stop()
  await collector?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a backup is written while the product takes load, and holds up nothing', async () => {
  const client = await open(first)
  await client.run(
    'mutation ($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }',
    SIGN_IN,
    { input: { name: 'Sealed', secrets: [{ name: 'TOKEN', value: 'swordfish' }] } },
  )
  const channel = { id: 'ops', name: 'Ops', kind: 'email', to: ['ops@example.com'] }
  const rule = { id: 'all', name: 'All', query: '*', channels: ['ops'], groupWait: '1h' }
  expect((await client.rest('POST', '/channel', SIGN_IN, channel)).status).toBe(201)
  expect((await client.rest('POST', '/rule', SIGN_IN, rule)).status).toBe(201)
  // A rule is in effect once its preview can be read.
  await eventually(async () =>
    expect((await client.rest('GET', '/rule/all/preview', SIGN_IN)).status).toBe(200),
  )
  resultId = (await execute(client, 'synchron=true')).body.id
  await execute(client, `callbackUrl=${encodeURIComponent(collector.url)}`)
  await collector.received(1)

  load = new Load(client, SIGN_IN)
  load.begin(() => execute(client))
  await load.sends(2_000)
  const before = load.acknowledged()
  const { code, output } = await run('backup', backup, first)
  expect(output).toMatch(/Table copied, table=events\.event rows=\d+/)
  expect(code).toBe(0)
  const during = load.acknowledged().length - before.length
  load.acknowledgedBefore = before
  await load.end()
  expect(during).toBeGreaterThan(0)
  expect((await stat(backup)).mode & 0o777).toBe(0o600)
  expect(await readFile(backup).then(String)).not.toContain('swordfish')
  if (!('DATA_DIR' in first)) throw new Error('The first store is embedded')
  keys = JSON.parse(await readFile(join(first.DATA_DIR, 'keys.json'), 'utf8'))
  await close()
})

/** Checks every store that a backup was restored into. */
async function isWhole(place: StoreSettings, client: Client): Promise<void> {
  const counted = await ask(
    place,
    `select message as occurrence, count(*)::int as times from events.raw_event where title like 'drill %' group by 1`,
  )
  const times = new Map<string, number>(counted.map((row) => [row.occurrence, row.times]))
  expect(load.acknowledgedBefore.filter((occurrence) => times.get(occurrence) !== 1)).toEqual([])
  expect([...times.values()].filter((each) => each !== 1)).toEqual([])
  const [sums] = await ask(
    place,
    `select (select sum(times_seen) from events.event) = (select count(*) from events.raw_event) as agree`,
  )
  expect(sums).toEqual({ agree: true })

  const result = await client.rest('GET', `/result/${resultId}`, SIGN_IN)
  expect({ status: result.status, state: result.body?.state }).toEqual({
    status: 200,
    state: 'COMPLETED',
  })
  expect((await execute(client, 'synchron=true')).body.state).toBe('COMPLETED')
  expect((await client.rest('GET', '/component', basic(ADMIN, 'a wrong password'))).status).toBe(
    401,
  )
}

test('what an embedded database held goes on in a PostgreSQL of Debian', async () => {
  const { code, output } = await run('restore', backup, second)
  expect(output).toMatch(/Backup restored, version=/)
  expect(code).toBe(0)

  const seen = collector.requests.length
  collector.answer(status(204))
  const client = await open(second, {
    SECRETS_KEY: keys.secretsKey ?? '',
    CALLBACK_SIGNING_SECRET: keys.callbackSigningSecret ?? '',
  })
  await isWhole(second, client)
  expect(await (await fetch(`${client.url}/healthz`)).json()).toMatchObject({
    notifications: 'paused',
  })
  expect(await client.run('{ notificationsPaused }', SIGN_IN)).toMatchObject({
    notificationsPaused: expect.stringContaining('NOTIFICATIONS=on'),
  })
  await collector.received(seen + 1)
  await goesOn(client)
})

test('it goes back into another data folder, from a product that runs', async () => {
  const file = join(folder, 'second.backup.gz')
  const { code } = await run('backup', file, second, { SECRETS_KEY: keys.secretsKey ?? '' })
  expect(code).toBe(0)
  await close()

  if (!('DATA_DIR' in third)) throw new Error('The third store is embedded')
  await mkdir(third.DATA_DIR)
  const { databasePassword: _, ...kept } = keys
  await writeFile(join(third.DATA_DIR, 'keys.json'), JSON.stringify(kept))
  const { code: restored, output } = await run('restore', file, third)
  expect(restored).toBe(0)
  expect(output).not.toContain('key of the secrets')
  const client = await open(third, { NOTIFICATIONS: 'on' })
  await isWhole(third, client)
  expect(await client.run('{ notificationsPaused }', SIGN_IN)).toEqual({
    notificationsPaused: null,
  })
  await goesOn(client)
  await close()
})

test('tables, indexes and sequences are those that migrations make', async () => {
  const described = (place: StoreSettings) =>
    ask(
      place,
      `select schemaname, tablename, regexp_replace(indexdef, 'INDEX \\S+ ON', 'INDEX ON') as index
       from pg_indexes where schemaname not like 'pg\\_%' order by 1, 2, 3`,
    )
  expect(await described(third)).toEqual(await described(first))
})

test('without the key of the secrets a restore says what cannot be read', async () => {
  const database = await createDatabase()
  try {
    const another = { SECRETS_KEY: Buffer.alloc(32).toString('base64') }
    const { code, output } = await run('restore', backup, { DATABASE_URL: database.url }, another)
    expect(code).toBe(0)
    expect(output).toMatch(
      /The key of the secrets is not the one of the backup, environments=\["Sealed"\] waitingCallbacks=1/,
    )
  } finally {
    await database.drop()
  }
})

test('a database that holds something is left alone', async () => {
  const { code, output } = await run('restore', backup, second)
  expect(code).toBe(1)
  expect(output).toContain('holds')
  expect(output).toContain('Nothing was restored')
})

test('a backup that was cut off or altered is refused before anything is written', async () => {
  const whole = await readFile(backup)
  const altered = Buffer.from(whole)
  const middle = Math.floor(whole.length / 2)
  altered.writeUInt8(altered.readUInt8(middle) ^ 1, middle)
  const place = { DATA_DIR: join(folder, 'untouched') }
  for (const content of [
    whole.subarray(0, middle),
    whole.subarray(0, -9),
    altered,
    Buffer.from(''),
  ]) {
    const file = join(folder, 'damaged.backup.gz')
    await writeFile(file, content)
    const { code, output } = await run('restore', file, place)
    expect(output).toContain('is no whole backup')
    expect(code).toBe(1)
  }
  expect(existsSync(place.DATA_DIR)).toBe(false)
})

test('a backup that is killed leaves nothing that looks whole', async () => {
  const other = new pg.Client({ connectionString: debian.url })
  await other.connect()
  try {
    for (let round = 0; round < 4; round++) {
      // A backup reads sequences last: with one of them held, no signal comes too late.
      await other.query('begin')
      await other.query('alter sequence events.raw_event_id_seq rename to held')
      const file = join(folder, `killed-${round}.backup.gz`)
      const killed = start('backup', file, second)
      await killed.says(/Table copied/)
      await delay(Math.random() * 200)
      killed.signal('SIGKILL')
      expect(await killed.exited).toMatchObject({ signal: 'SIGKILL' })
      await other.query('rollback')
      expect(existsSync(file)).toBe(false)
      const draft = `${file}.part`
      expect((await stat(draft)).mode & 0o777).toBe(0o600)
      await copyFile(draft, file)
      const target = { DATA_DIR: join(folder, 'untouched') }
      expect((await run('restore', file, target)).output).toContain('is no whole backup')
    }
  } finally {
    await other.end()
  }
})

test('a restore that is killed leaves the database empty or whole, and another one fills an empty one', async () => {
  const database = await createDatabase()
  const place = { DATABASE_URL: database.url }
  try {
    for (const ms of [0, 300, 600, 900].map((base) => base + Math.random() * 300)) {
      const killed = start('restore', backup, place)
      await killed.says(/Backup checked/)
      await delay(ms)
      killed.signal('SIGKILL')
      const { signal } = await killed.exited
      if (!signal) break
      // The server notices by itself.
      const tables = `select count(*)::int as count from pg_tables where schemaname in ('events', 'pgboss')`
      const [{ count }] = await ask(place, tables)
      if (count > 0) break // all was stored just before; whether it is whole is asked below
    }
    const [{ count }] = await ask(
      place,
      `select count(*)::int as count from pg_tables where schemaname = 'pgboss'`,
    )
    if (count === 0) expect(await run('restore', backup, place)).toMatchObject({ code: 0 })
    const client = await open(place, {
      SECRETS_KEY: keys.secretsKey ?? '',
      CALLBACK_SIGNING_SECRET: keys.callbackSigningSecret ?? '',
    })
    await isWhole(place, client)
    await close()
  } finally {
    await database.drop()
  }
})
