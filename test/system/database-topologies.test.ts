import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Assay, startAssay } from '../_support/assay.ts'
import { readUntil } from '../conformance/calls.ts'
import { encoded, PASSWORD, USER_ID } from '../conformance/executions.ts'
import {
  type DebianPostgres,
  startDebianPostgres,
  startStandbyOf,
} from './_support/debian-postgres.ts'
import { startPgBouncer } from './_support/pgbouncer.ts'

const KEYS = {
  SECRETS_KEY: randomBytes(32).toString('base64'),
  CALLBACK_SIGNING_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
}
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

test('behind a pooler in transaction mode everything works, with the direct address beside it', async () => {
  const database = await startDebianPostgres()
  const pooler = await startPgBouncer(database.url)
  const assay = await start({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url })
  try {
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
  } finally {
    await assay.stop()
    await pooler.stop()
    await database.stop()
  }
}, 90_000)

describe('several servers', () => {
  let primary: DebianPostgres
  let standby: DebianPostgres
  beforeEach(async () => {
    primary = await startDebianPostgres()
    standby = await startStandbyOf(primary)
  }, 60_000)
  afterEach(() => standby.stop())

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
  }, 120_000)
})

async function titlesOn({ url }: DebianPostgres): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    "select count(*)::int from events.raw_event where title = 'topology before'",
  )
  await client.end()
  return rows[0].count
}
