import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../platform/data-dir/free-port.ts'
import { addressOf, ENTRY } from '../support/assay.ts'
import { basic } from '../support/e2e/users.ts'
import { eventually } from '../support/eventually.ts'
import { spawnProduct } from '../support/product-process.ts'
import { startDebianPostgres } from '../support/system/debian-postgres.ts'
import { ADMIN, type Installation, startInstallation } from './installation.ts'
import { type Channels, startChannels } from './notified-channels.ts'
import { backup } from './restored-backup.ts'

export const NOTIFICATIONS = 'notifications'

const SIGN_IN = basic(ADMIN.email, ADMIN.password)
/** Time that a caller repeats a request, and that what was accepted takes to arrive. */
const PATIENCE_MS = 180_000
const AWAY_MS = 3_000
/** More attempts fail within an hour: after 5 s, 30 s, 2, 10 and 30 minutes. */
const ATTEMPTS_OF_AN_HOUR = 6
const MANY = 10_000
const OF_A_CALL = 1_000

/** An installation with channels that keep what they take, and what callers know of it. */
class Ground {
  readonly installation: Installation
  readonly channels: Channels
  /** Titles that were accepted, by the case. */
  readonly #accepted = new Map<string, Set<string>>()

  constructor(installation: Installation, channels: Channels) {
    this.installation = installation
    this.channels = channels
  }

  /** Addresses of the gateways themselves. */
  get gateways(): string[] {
    const members = this.installation.members.filter(({ kind }) => kind === 'gateway')
    return members.map(({ port }) => `http://127.0.0.1:${port}`)
  }

  /** A rule over the events of a case, and a channel of its own. Both are in effect when it resolves. */
  async rule(name: string, times: object = {}, url = this.installation.url): Promise<void> {
    const channel = { id: name, name, kind: 'webhook', url: `${this.channels.url}/${name}` }
    const rule = { id: name, name, query: `eventClass:${name}`, channels: [name] }
    await call(`${url}/api/channel`, channel)
    await call(`${url}/api/rule`, { ...rule, groupWait: '0s', groupInterval: '0s', ...times })
    await eventually(async () => call(`${url}/api/rule/${name}/preview`))
  }

  /** Opens events, and repeats under a key at the next address until they are accepted. */
  async open(name: string, titles: readonly string[], urls = [this.installation.url]) {
    const events = titles.map((title) => ({
      ...{ title, eventClass: name, status: 'OPEN', source: { ref: title } },
      fingerprintFields: ['@title'],
    }))
    const key = { 'idempotency-key': randomUUID() }
    let at = 0
    await eventually(async () => {
      const url = urls[at++ % urls.length]
      await call(`${url}/api/v1/events`, events, key)
    }, PATIENCE_MS)
    const accepted = this.#accepted.get(name) ?? new Set()
    for (const title of titles) accepted.add(title)
    this.#accepted.set(name, accepted)
  }

  async query<Row extends object>(text: string, values: unknown[], url?: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url ?? this.installation.database.url })
    await client.connect()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  /** Waits until all that was accepted has arrived and nothing is left to do. @returns what differs */
  async differences(name: string, store?: string): Promise<string[]> {
    const accepted = this.#accepted.get(name) ?? new Set()
    const isDone = async () => {
      const [left] = await this.query<{ count: number }>(FIND_LEFT, [name], store)
      const { changes } = this.channels.taken(name)
      if (left?.count !== 0 || changes < accepted.size)
        throw new Error(`${left?.count} left, ${changes} of ${accepted.size} arrived`)
    }
    const late = await eventually(isDone, PATIENCE_MS).then(
      () => [],
      ({ message }: Error) => [`${name}: ${message}`],
    )
    const { messages, changes, titles, requests } = this.channels.taken(name)
    console.log(
      `  ${name}: ${accepted.size} accepted, ${changes} notified in ${messages.length} messages, ${requests} requests`,
    )
    const stored = await this.query<{ id: string }>(FIND_DELIVERED, [name], store)
    const ids = new Set(stored.map(({ id }) => id))
    return [
      ...late,
      ...line(changes - accepted.size, `${name}: changes more than were accepted`),
      ...line(titles.length - new Set(titles).size, `${name}: changes are in two messages`),
      ...line(titles.filter((title) => !accepted.has(title)).length, `${name}: were never sent`),
      ...line(messages.filter((id) => !ids.has(id)).length, `${name}: messages are not delivered`),
      ...line(ids.size - messages.length, `${name}: delivered ones did not arrive`),
    ]
  }
}

const FIND_LEFT = `
  select (select count(*) from events.state_change)::int
    + (select count(*) from events.notification where rule_id = $1 and state <> 'DELIVERED')::int as count`

const FIND_DELIVERED = `
  select message_id::text as id from events.notification where rule_id = $1 and state = 'DELIVERED'`

const titles = (name: string, count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => `${name} ${from + at}`)

const line = (count: number, what: string): string[] => (count === 0 ? [] : [`${count} ${what}`])

/** @throws unless it is answered with success */
async function call(url: string, body?: unknown, headers = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...SIGN_IN, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** A channel has two attempts at a time: while it is silent, these are sent and not recorded, and all others committed and not sent. */
async function killed(ground: Ground): Promise<string[]> {
  const { installation, channels } = ground
  await ground.rule('killed', { groupBy: ['source.ref'] })
  channels.answer('killed', 'silence')
  await ground.open('killed', titles('killed', 8))
  const unsent = 'select from events.notification where rule_id = $1'
  await eventually(async () => {
    if ((await ground.query(unsent, ['killed'])).length < 8) throw new Error('not all are written')
  }, PATIENCE_MS)
  await channels.arrives('killed')
  await installation.end('SIGKILL', 'events1', 'events2')
  channels.answer('killed', 204)
  await installation.start('events1', 'events2')
  return ground.differences('killed')
}

/** An hour passes as each attempt is due at once. Everything that happened in it is one message. */
async function away(ground: Ground): Promise<string[]> {
  const { channels } = ground
  channels.answer('away', 503)
  await ground.rule('away')
  for (let attempt = 1; attempt <= ATTEMPTS_OF_AN_HOUR; attempt++) {
    await ground.open('away', titles('away', 1, attempt))
    await eventually(async () => {
      const [row] = await ground.query<{ made: number }>(COUNT_ATTEMPTS, ['away'])
      if (row?.made !== attempt) throw new Error(`${row?.made} attempts instead of ${attempt}`)
    }, PATIENCE_MS)
    if (attempt === ATTEMPTS_OF_AN_HOUR) channels.answer('away', 204)
    await ground.query(`update pgboss.job set start_after = now() where name = 'notification'`, [])
  }
  const found = await ground.differences('away')
  return [...found, ...line(channels.taken('away').messages.length - 1, 'away: messages too many')]
}

const COUNT_ATTEMPTS =
  'select max(attempt_count)::int as made from events.notification where rule_id = $1'

async function databaseRestarts(ground: Ground): Promise<string[]> {
  const { database } = ground.installation
  await ground.rule('database')
  const opening = (async () => {
    for (const title of titles('database', 60)) await ground.open('database', [title])
  })()
  await ground.channels.arrives('database')
  await database.kill()
  await delay(AWAY_MS)
  await database.restart()
  await opening
  return ground.differences('database')
}

async function manyAtOnce(ground: Ground): Promise<string[]> {
  await ground.rule('many', { groupWait: '2s', groupInterval: '5s' })
  const { gateways } = ground
  await Promise.all(
    Array.from({ length: MANY / OF_A_CALL }, (_, at) =>
      ground.open('many', titles('many', OF_A_CALL, at * OF_A_CALL), [gateways[at % 2] ?? '']),
    ),
  )
  const found = await ground.differences('many')
  const count = ground.channels.taken('many').messages.length
  const groups = 'select from events.notification_group where rule_id = $1'
  return [
    ...found,
    ...line((await ground.query(groups, ['many'])).length - 1, 'many: groups too many'),
    ...(count > 20 ? [`many: ${count} messages`] : []),
  ]
}

/** A rule stored through one gateway is about events of both, also while one is killed. */
async function twoGateways(ground: Ground): Promise<string[]> {
  const { installation, gateways } = ground
  const [one = '', other = ''] = gateways
  await ground.rule('gateways', {}, one)
  const open = async (urls: string[], from: number) => {
    for (let at = 0; at < 40; at++)
      await ground.open('gateways', titles('gateways', 1, from + at), urls)
  }
  const opening = Promise.all([open([one, other], 0), open([other, one], 100)])
  await ground.channels.arrives('gateways')
  await installation.end('SIGKILL', 'gateway1')
  await delay(AWAY_MS)
  await installation.start('gateway1')
  await opening
  return ground.differences('gateways')
}

/** A copy sends nothing until it starts with NOTIFICATIONS=on; then what waited, and what came meanwhile, once each. */
async function restored(ground: Ground): Promise<string[]> {
  const { installation, channels } = ground
  channels.answer('restored', 503)
  await ground.rule('restored')
  await ground.open('restored', titles('restored', 3))
  await channels.arrives('restored')
  const names = installation.members.map(({ name }) => name)
  const folder = await mkdtemp(join(tmpdir(), 'assay-drill-notified-'))
  const file = join(folder, 'copy.backup.gz')
  const empty = await startDebianPostgres()
  try {
    await backup(['backup', file], installation.env, folder)
    await installation.end('SIGTERM', ...names)
    const { NATS_URL, EVENTS_URL, TEST_EXECUTION_URL, ACCOUNTS_URL, ...env } = installation.env
    const copy = { ...env, DATABASE_URL: empty.url, PORT: String(await freePort()) }
    await backup(['restore', file], copy, folder)
    const paused = await whilePaused(ground, copy, folder)
    channels.answer('restored', 204)
    const on = spawnProduct('server', ENTRY.server, { ...copy, NOTIFICATIONS: 'on' }, folder)
    await addressOf(on)
    // Retries of the original went on counting: those of the copy are due when they are.
    await ground.query('update pgboss.job set start_after = now()', [], empty.url)
    const found = await ground.differences('restored', empty.url)
    on.signal('SIGTERM')
    await on.exited
    return [...paused, ...found]
  } finally {
    await installation.start(...names.filter((name) => !name.startsWith('gateway')))
    await installation.start(...names.filter((name) => name.startsWith('gateway')))
    await empty.stop()
    await rm(folder, { recursive: true })
  }
}

async function whilePaused(ground: Ground, env: Record<string, string>, folder: string) {
  const before = ground.channels.taken('restored').requests
  const copy = spawnProduct('server', ENTRY.server, env, folder)
  const url = (await addressOf(copy)) ?? ''
  const health = (await call(`${url}/healthz`)) as { notifications?: string }
  await ground.open('restored', titles('restored', 2, 100), [url])
  await delay(AWAY_MS)
  copy.signal('SIGTERM')
  await copy.exited
  const sent = ground.channels.taken('restored').requests - before
  return [
    ...line(sent, 'restored: requests of a paused copy'),
    ...(health.notifications === 'paused' ? [] : ['restored: /healthz does not say paused']),
  ]
}

const CASES = [killed, away, databaseRestarts, manyAtOnce, twoGateways, restored]

/** Breaks what lies between a change of an event and the message about it. @returns what differs in the books */
export async function drillNotifications(): Promise<string[]> {
  const channels = await startChannels()
  const installation = await startInstallation('plain', { NOTIFICATIONS_PER_MINUTE: '10000' })
  const found: string[] = []
  try {
    const ground = new Ground(installation, channels)
    console.log()
    for (const each of CASES)
      found.push(...(await each(ground).catch((error) => [`${each.name}: ${error.message}`])))
    return found
  } finally {
    await installation.stop()
    await channels.stop()
  }
}
