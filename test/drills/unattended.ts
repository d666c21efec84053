import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Assay, startAssay } from '../support/assay.ts'
import { eventually } from '../support/eventually.ts'
import { productKeys } from '../support/product-keys.ts'
import { startDebianPostgres } from '../support/system/debian-postgres.ts'
import { type SharedClock, startClock } from '../support/system/fake-time.ts'

export const UNATTENDED =
  'schedules and triggers: kill -9 of two instances, nights without any, clocks that change'

const HOURLY = 20
const EVENTS = 10
const REQUESTS = 10
const PATIENCE_MS = 180_000
const SECRET = 'a secret of the sender'
const KEYS = productKeys()
/** Berlin sets its clocks back at 01:00Z of this night, and forward at 01:00Z of the other. */
const AUTUMN = '2026-10-25'
const SPRING = '2027-03-28'

interface Place {
  clock: SharedClock
  store: pg.Client
  instances: Assay[]
  differences: string[]
}

/**
 * Two instances with a clock that is set run schedules each hour and triggers, while they are killed and while both are away.
 * @returns what ran twice, was lost, or ran when it should not
 */
export async function runUnattended(): Promise<string[]> {
  const clock = await startClock(at(AUTUMN, '20:30', -1))
  const database = await startDebianPostgres({ env: clock.env })
  const store = new pg.Client({ connectionString: database.url })
  await store.connect()
  const start = () =>
    startAssay({ mode: 'in-process', env: { ...KEYS, ...clock.env, DATABASE_URL: database.url } })
  const instances: Assay[] = []
  try {
    instances.push(await start(), await start())
    const place: Place = { clock, store, instances, differences: [] }
    const begin = clock.now()
    await storeAll(place)
    await killOneByOne(place)
    await setBack(place)
    await setForward(place, await night(place))
    const totals = { events: 3 * EVENTS, requests: 3 * REQUESTS, berlin: 2 }
    await ran(place, 'all together', begin, { ...each(7), ...totals })
    return place.differences
  } finally {
    for (const instance of instances) await instance.stop()
    await store.end()
    await database.stop()
    await clock.remove()
  }
}

const each = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: HOURLY }, (_, n) => [`hourly-${n}`, count]))

/** @param days behind that one */
function at(day: string, time: string, days = 0): Date {
  const date = new Date(`${day}T${time.padEnd(8, ':00')}Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date
}

const ask = (url: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

async function storeAll({ instances: [first] }: Place): Promise<void> {
  const hourly = Array.from({ length: HOURLY }, (_, n) => ({
    ...{ kind: 'schedule', id: `hourly-${n}`, target: 'open', cron: '@hourly' },
    ...{ missed: 'ONCE', overlap: 'QUEUE' },
  }))
  const berlin = { kind: 'schedule', target: 'open', cron: '30 2 * * *', timeZone: 'Europe/Berlin' }
  const artifacts = [
    {
      ...{ kind: 'testcase', id: 'open', allowExecuteWithoutCredentials: true },
      scenario: { steps: [{ id: 'wait', wait: { ms: 1 } }] },
    },
    ...hourly,
    { kind: 'schedule', id: 'skipped', target: 'open', cron: '@hourly' },
    { ...berlin, id: 'berlin' },
    { kind: 'trigger', id: 'events', query: 'source.type:drill', target: 'open', perHour: 1_000 },
    {
      ...{ kind: 'trigger', id: 'requests', webhook: 'github', secret: SECRET },
      ...{ target: 'open', perHour: 1_000 },
    },
  ]
  const query =
    'mutation ($input: ApplyArtifactsInput!) { applyArtifacts(input: $input) { dryRun } }'
  const variables = { input: { set: 'drill', artifacts } }
  const response = await ask(first?.url ?? '', '/graphql', { query, variables })
  const answer = await response.text()
  if (answer.includes('"errors"')) throw new Error(answer)
}

/** Kills the one, the other and both when all schedules are due and senders call. Senders repeat until they are accepted. */
async function killOneByOne(place: Place): Promise<void> {
  const { clock, instances } = place
  const [first, second] = instances
  const rounds = [[first], [second], [first, second]]
  for (const [round, killed] of rounds.entries()) {
    const since = clock.now()
    await clock.set(at(AUTUMN, `${20 + round}:59:58`, -1))
    await delay(2_000 + Math.random() * 500)
    const sent = send(instances)
    await delay(Math.random() * 500)
    await Promise.all(killed.map((one) => one?.kill('server', 'SIGKILL')))
    await Promise.all(killed.map((one) => one?.restart('server')))
    await sent
    await ran(place, `killed ${round + 1}`, since, {
      ...each(1),
      ...{ events: EVENTS, requests: REQUESTS },
    })
  }
}

/** Each event and request until it is accepted, at any instance; requests once more when they are. */
async function send(instances: readonly Assay[]): Promise<void> {
  const accepted = (path: string, body: unknown, headers: Record<string, string>) =>
    eventually(async () => {
      const { url = '' } = instances[Math.floor(Math.random() * instances.length)] ?? {}
      const response = await ask(url, path, body, headers)
      const answer = await response.text()
      if (response.status !== 202) throw new Error(`${response.status} ${answer}`)
    }, PATIENCE_MS)
  const events = Array.from({ length: EVENTS }, () => {
    const key = randomUUID()
    const event = { title: 'Drilled', status: 'OPEN', source: { type: 'drill', ref: key } }
    return accepted('/api/v1/events', event, { 'idempotency-key': key })
  })
  const body = '{"ref":"refs/heads/main"}'
  const digest = createHmac('sha256', SECRET).update(body).digest('hex')
  const requests = Array.from({ length: REQUESTS }, async () => {
    const headers = {
      'x-hub-signature-256': `sha256=${digest}`,
      'x-github-delivery': randomUUID(),
    }
    for (const _ of [1, 2]) await accepted('/v1/triggers/requests', body, headers)
  })
  await Promise.all([...events, ...requests])
}

/** 02:30 comes twice in Berlin: at 00:30Z, and at 01:30Z, where nothing runs. The clock leaps over two full hours. */
async function setBack(place: Place): Promise<void> {
  const { clock } = place
  const since = clock.now()
  await clock.set(at(AUTUMN, '00:29:58'))
  await ran(place, '02:30 before clocks are set back', since, { ...each(1), berlin: 1 })
  await clock.set(at(AUTUMN, '01:29:58'))
  await eventually(async () => {
    if (clock.now() < at(AUTUMN, '01:30:15')) throw new Error('It is earlier')
  }, PATIENCE_MS)
  await ran(place, '02:30 again', since, { ...each(2), berlin: 1 })
}

/** Both are away for many hours. @returns when it was over */
async function night(place: Place): Promise<Date> {
  const { clock, instances } = place
  for (const one of instances) await one.kill('server', 'SIGTERM')
  await clock.set(at(SPRING, '00:30'))
  const since = clock.now()
  for (const one of instances) await one.restart('server')
  await ran(place, 'a night without any instance', since, {
    ...each(1),
    ...{ skipped: 0, berlin: 0 },
  })
  return since
}

/** There is no 02:30 in Berlin: its run is at 03:00 there, and the next one a day later. */
async function setForward(place: Place, since: Date): Promise<void> {
  const { clock, store, differences } = place
  await clock.set(at(SPRING, '00:59:58'))
  await ran(place, 'clocks are set forward', since, {
    ...{ ...each(2), berlin: 1, skipped: 1 },
  })
  const { rows } = await store.query(
    `select next_at from test_execution.schedule_state where schedule_id = 'berlin'`,
  )
  const next = new Date(rows[0].next_at).toISOString()
  if (next !== at(SPRING, '00:30', 1).toISOString())
    differences.push(`Berlin's next run is at ${next}`)
}

/** Compares the executions of schedules and triggers since a time, once all of them have ended. */
async function ran(
  { store, differences }: Place,
  what: string,
  since: Date,
  expected: Readonly<Record<string, number>>,
): Promise<void> {
  const found = async () => {
    const { rows } = await store.query<{ id: string; state: string; count: number }>(
      `select coalesce(labels ->> 'schedule', labels ->> 'trigger') as id, state, count(*)::int as count
        from test_execution.execution where started >= $1 and started_by in ('SCHEDULE', 'TRIGGER')
        group by 1, 2`,
      [since],
    )
    return Object.entries(expected).flatMap(([id, count]) => {
      const own = rows.filter((row) => row.id === id)
      const all = own.reduce((sum, row) => sum + row.count, 0)
      const completed = own.find(({ state }) => state === 'COMPLETED')?.count ?? 0
      return all === count && completed === count
        ? []
        : [`${what}: ${id} ran ${all} times, ${completed} to its end, instead of ${count}`]
    })
  }
  const settled = await eventually(async () => {
    const faults = await found()
    if (faults.length > 0) throw new Error(faults.join('\n'))
  }, PATIENCE_MS).catch((error: Error) => error)
  if (settled instanceof Error) differences.push(settled.message)
  console.log(`  ${what}: ${JSON.stringify(summed(expected))}`)
}

const summed = (expected: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(Object.entries(expected), ([id]) => id.replace(/-\d+$/, ''))).map(
      ([id, all = []]) => [id, all.reduce((sum, [, count]) => sum + count, 0)],
    ),
  )
