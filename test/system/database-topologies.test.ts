import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { readUntil } from '../conformance/calls.ts'
import { encoded, PASSWORD, USER_ID } from '../conformance/executions.ts'
import { type Assay, startAssay } from '../support/assay.ts'
import { type Freezable, startFreezable } from '../support/freezable.ts'
import { productKeys } from '../support/product-keys.ts'
import { spawnProduct } from '../support/product-process.ts'
import {
  accountOf,
  type DebianPostgres,
  startDebianPostgres,
  startStandbyOf,
} from '../support/system/debian-postgres.ts'
import { type PgBouncer, startPgBouncer } from '../support/system/pgbouncer.ts'
import { pathOf } from '../support/system/programs.ts'

const KEYS = productKeys()
const start = (env: Record<string, string>): Promise<Assay> =>
  startAssay({ mode: 'in-process', env: { ...KEYS, ...env } })

async function accepts({ url }: Assay, title: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  })
  await response.text()
  return response.status === 202
}

async function titles({ url }: Assay): Promise<string[]> {
  const response = await fetch(`${url}/api/v1/events?q=title:topology`)
  const { items = [] } = (await response.json()) as { items?: { title: string }[] }
  return items.map(({ title }) => title).sort()
}

async function executes({ url }: Assay): Promise<string> {
  const response = await fetch(`${url}/api/testcase/loan-schedule/execute?synchron=true`, {
    method: 'POST',
    headers: { credentials: encoded(USER_ID, PASSWORD) },
  })
  const { state } = (await response.json()) as { state: string }
  return state
}

describe('behind a pooler in transaction mode, with the direct address beside it', () => {
  let database: DebianPostgres
  let pooler: PgBouncer
  let assay: Assay
  beforeAll(async () => {
    database = await startDebianPostgres({
      settings: { shared_preload_libraries: 'pg_stat_statements' },
    })
    await rowsOn(database, 'create extension pg_stat_statements')
    pooler = await startPgBouncer(database.url)
    assay = await start({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url })
  })
  afterAll(async () => {
    await assay?.stop()
    await pooler?.stop()
    await database?.stop()
  })

  test('everything works', async () => {
    expect(await Promise.all(Array.from({ length: 10 }, () => executes(assay)))).toEqual(
      Array.from({ length: 10 }, () => 'COMPLETED'),
    )
    for (const at of ['1', '2']) expect(await accepts(assay, `topology ${at}`)).toBe(true)
    const wanted = ['topology 1', 'topology 2']
    await readUntil(
      () => titles(assay),
      (found) => found.length === wanted.length,
    )
    expect(assay.logs()).not.toMatch(/prepared statement/)
  })

  test('PostgreSQL compiles none of the statements, as it would with its own settings', async () => {
    expect(await rowsOn(database, 'show jit')).toEqual([{ jit: 'on' }])
    await accepts(assay, 'topology that is indexed')
    await readUntil(
      () => rowsOn<{ count: number }>(database, UNINDEXED),
      ([row]) => row?.count === 0,
    )
    const compiled = 'select query from pg_stat_statements where jit_functions > 0'
    expect(await rowsOn(database, compiled)).toEqual([])
  })
})

test('a certificate of an unknown authority is refused with what to do, and taken when its file is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-tls-'))
  const [key, certificate] = [join(folder, 'own.key'), join(folder, 'own.crt')]
  const signed = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost']
  const files = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate]
  await promisify(execFile)(pathOf('openssl'), [...signed, ...files], await accountOf(folder))
  const settings = { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key }
  const database = await startDebianPostgres({ settings })
  const list = async (parameters: object) => {
    const url = new URL(database.url)
    url.hostname = 'localhost'
    url.search = `${new URLSearchParams({ sslmode: 'verify-full', ...parameters })}`
    const env = { DATABASE_URL: url.href }
    const program = spawnProduct('accounts', ['accounts-command.js', 'list'], env, folder)
    return { code: (await program.exited).code, output: program.output() }
  }
  try {
    expect(await list({})).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /^self-signed certificate.*\n.* name its file with sslrootcert/,
      ),
    })
    expect(await list({ sslrootcert: certificate })).toEqual({ code: 0, output: '' })
  } finally {
    await database.stop()
    await rm(folder, { recursive: true })
  }
})

describe('several servers', () => {
  let primary: DebianPostgres
  let standby: DebianPostgres
  beforeEach(async () => {
    primary = await startDebianPostgres()
    standby = await startStandbyOf(primary)
  })
  afterEach(async () => {
    await standby.stop()
    await primary.stop()
  })

  /** The standby first: the order means nothing. */
  const both = () => {
    const { host } = new URL(standby.url)
    return primary.url.replace('@', `@${host},`)
  }

  test('the one that takes writes is used, and after a failover the new one, without a restart', async () => {
    const assay = await start({ DATABASE_URL: both() })
    try {
      expect(await executes(assay)).toBe('COMPLETED')
      expect(await accepts(assay, 'topology before')).toBe(true)
      await readUntil(
        () => titlesOn(standby),
        (found) => found === 1,
      )
      await primary.kill()
      await standby.promote()
      await readUntil(() => accepts(assay, 'topology after'), Boolean)
      await readUntil(
        () => titles(assay).catch(() => [] as string[]),
        (found) => found.includes('topology before') && found.includes('topology after'),
      )
      await readUntil(
        () => executes(assay).catch(() => ''),
        (state) => state === 'COMPLETED',
      )
    } finally {
      await assay.stop()
    }
  })
})

describe('a replica for lists', () => {
  let primary: DebianPostgres
  let standby: DebianPostgres
  let replica: Freezable
  let assay: Assay
  beforeAll(async () => {
    primary = await startDebianPostgres()
    standby = await startStandbyOf(primary)
    replica = await startFreezable(standby.url)
    assay = await start({
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: replica.url,
      DATABASE_POOL_SIZE: '5',
    })
  })
  afterAll(async () => {
    await assay?.stop()
    replica?.close()
    await standby?.stop()
    await primary?.stop()
  })

  const readsOf = async (server: string): Promise<number> => {
    const text = await (await fetch(`${assay.url}/metrics`)).text()
    const [, count] =
      new RegExp(`^assay_list_reads{pool="events",server="${server}"} (\\d+)$`, 'm').exec(text) ??
      []
    return Number(count)
  }
  const asked = async (url: string, statement: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(statement)
    await client.end()
    return rows
  }
  let sent = 0
  /** Accepts an event and lists at once. */
  const readsItsWrite = async (): Promise<boolean> => {
    const title = `topology ${++sent}`
    expect(await accepts(assay, title)).toBe(true)
    return (await titles(assay)).includes(title)
  }

  test('a list shows what was accepted before, from the replica or, while that is behind, from the primary', async () => {
    for (let n = 0; n < 20; n++) expect(await readsItsWrite()).toBe(true)
    await readUntil(
      async () => [await readsItsWrite(), await readsOf('replica')] as const,
      ([isThere, reads]) => isThere && reads > 0,
    )
    await asked(standby.url, 'select pg_wal_replay_pause()')
    const before = await readsOf('primary')
    expect(await readsItsWrite()).toBe(true)
    expect(await readsOf('primary')).toBeGreaterThan(before)
    await assay.says(assay.parts.events, /Replica is not read: lists read the primary/)
    await asked(standby.url, 'select pg_wal_replay_resume()')
    const replicaBefore = await readsOf('replica')
    await readUntil(
      async () => [await readsItsWrite(), await readsOf('replica')] as const,
      ([isThere, reads]) => isThere && reads > replicaBefore,
    )
    await assay.says(assay.parts.events, /Replica is up to date again/)
    await standby.kill()
    for (let n = 0; n < 3; n++) expect(await readsItsWrite()).toBe(true)
    await standby.restart()
  })

  test('a list that waits for a replica which freezes is read from the primary', async () => {
    const title = `topology ${sent}`
    await readUntil(
      async () => [await readsItsWrite(), await readsOf('replica')] as const,
      ([isThere, reads]) => isThere && reads > 0,
    )
    // So begins what a list reads on the replica, after that was found to be up to date.
    replica.freezeAt('set local statement_timeout')
    while (!replica.isFrozen) {
      const began = performance.now()
      expect(await titles(assay)).toContain(title)
      expect(performance.now() - began).toBeLessThan(10_000)
    }
    replica.thaw()
    const before = await readsOf('replica')
    await readUntil(
      async () => [await readsItsWrite(), await readsOf('replica')] as const,
      ([isThere, reads]) => isThere && reads > before,
    )
  })

  test('connections are named by process and purpose, and bounded', async () => {
    await Promise.all(Array.from({ length: 60 }, () => titles(assay)))
    await Promise.all(Array.from({ length: 30 }, () => executes(assay)))
    const rows: { name: string; count: number }[] = await asked(
      primary.url,
      `select application_name as name, count(*)::int as count from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() group by 1 order by 1`,
    )
    // Three subgraphs with five each, and a worker with four slots.
    const bounds: Record<string, number> = {
      'assay server': 3 * 5 + 6,
      'assay server jobs': 7,
      'assay server pub-sub': 2,
    }
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(bounds))
    expect(rows.filter(({ name, count }) => count > (bounds[name] ?? 0))).toEqual([])
    const [onReplica] = await asked(
      standby.url,
      "select count(*)::int as count from pg_stat_activity where application_name = 'assay server lists'",
    )
    expect(onReplica.count).toBeLessThanOrEqual(3 * 5)
  })
})

async function titlesOn(database: DebianPostgres): Promise<number> {
  const [row] = await rowsOn<{ count: number }>(
    database,
    "select count(*)::int from events.raw_event where title = 'topology before'",
  )
  return row?.count ?? 0
}

async function rowsOn<Row extends object>(
  { url }: DebianPostgres,
  statement: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

const UNINDEXED = `
  select count(*)::int from events.raw_event where id > (select id from events.search_position)`
