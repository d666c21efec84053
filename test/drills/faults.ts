import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { writableServer } from '../../platform/database/database-servers.ts'
import { descendantsOf } from '../support/process-tree.ts'
import { clockAhead } from '../support/system/fake-time.ts'
import type { Books } from './books.ts'
import { formerIdentity } from './former-identity.ts'
import type { Installation } from './installation.ts'
import { restoredBackup } from './restored-backup.ts'
import type { Topology } from './topology.ts'

/** Something that goes wrong while callers do not pause. */
export interface Fault {
  name: string
  /** Topology of the drill; the plain one if absent. */
  topology?: Topology
  /** Begins the fault and ends it. What it finds wrong it writes into the books. */
  happen(installation: Installation, books: Books): Promise<void>
  /** True if callers may notice nothing at all. */
  isUnnoticed?: true
}

/** Time that a part is away: longer than a caller's patience between two tries. */
const AWAY_MS = 3_000
/** A worker is taken for lost after ten seconds. */
const BEYOND_LEASE_MS = 15_000

const KILLED = ['gateway1', 'events1', 'test-execution1', 'worker1', 'accounts1']

const killed = (...names: string[]): Fault => ({
  name: `kill -9 of ${names.join(', ')}`,
  async happen(installation) {
    await installation.end('SIGKILL', ...names)
    await delay(AWAY_MS)
    await installation.start(...names)
  },
})

const everything: Fault = {
  name: 'kill -9 of everything at once',
  async happen(installation) {
    const names = installation.members.map(({ name }) => name)
    await installation.end('SIGKILL', ...names)
    await delay(AWAY_MS)
    await installation.start(...names.filter((name) => !name.startsWith('gateway')))
    await installation.start(...names.filter((name) => name.startsWith('gateway')))
  },
}

/** It keeps its connections and answers nothing, as behind a network that drops packets. */
const frozen = (name: string): Fault => ({
  name: `${name} answers nothing for ${BEYOND_LEASE_MS / 1_000} s`,
  async happen(installation) {
    const process = installation.the(name)
    process.signal('SIGSTOP')
    await delay(BEYOND_LEASE_MS)
    process.signal('SIGCONT')
  },
})

const database: Fault = {
  name: 'PostgreSQL crashes and recovers',
  async happen({ database }) {
    await database.kill()
    await delay(AWAY_MS)
    await database.restart()
  },
}

const databaseFrozen: Fault = {
  name: `PostgreSQL answers nothing for ${BEYOND_LEASE_MS / 1_000} s`,
  async happen({ database }) {
    const all = [database.pid, ...(await descendantsOf([database.pid])).map(({ pid }) => pid)]
    for (const pid of all) process.kill(pid, 'SIGSTOP')
    await delay(BEYOND_LEASE_MS)
    for (const pid of all) process.kill(pid, 'SIGCONT')
  },
}

const connectionsCut: Fault = {
  name: 'every connection to PostgreSQL is cut, five times',
  async happen({ database: { url } }) {
    for (let n = 0; n < 5; n++) {
      await asking(url, (client) =>
        client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $1',
          ['client backend'],
        ),
      )
      await delay(500)
    }
  },
}

const nats: Fault = {
  name: 'NATS is away',
  async happen({ nats }) {
    await nats.kill()
    await delay(AWAY_MS)
    await nats.restart()
  },
}

const natsFrozen: Fault = {
  name: `NATS answers nothing for ${BEYOND_LEASE_MS / 1_000} s`,
  async happen({ nats }) {
    process.kill(nats.pid, 'SIGSTOP')
    await delay(BEYOND_LEASE_MS)
    process.kill(nats.pid, 'SIGCONT')
  },
}

const LINKS = 'every link between callers, gateways and subgraphs'

const linksCut: Fault = {
  name: `${LINKS} is cut`,
  async happen({ balancer }) {
    await balancer.kill()
    await delay(AWAY_MS)
    await balancer.restart()
  },
}

const linksSilent: Fault = {
  name: `${LINKS} carries nothing for ${BEYOND_LEASE_MS / 1_000} s`,
  async happen({ balancer }) {
    balancer.signal('SIGSTOP')
    await delay(BEYOND_LEASE_MS)
    balancer.signal('SIGCONT')
  },
}

const foreignTransaction: Fault = {
  name: `a foreign transaction stays open for ${BEYOND_LEASE_MS / 1_000} s`,
  isUnnoticed: true,
  happen: ({ database: { url } }) =>
    asking(url, async (client) => {
      await client.query('begin')
      await client.query('create table foreign_table ()')
      await delay(BEYOND_LEASE_MS)
      await client.query('rollback')
    }),
}

const rollingRestart: Fault = {
  name: 'rolling restart',
  isUnnoticed: true,
  async happen(installation) {
    for (const { name } of installation.members) await installation.restart(name)
  },
}

const SKEW_SECONDS = 300

/** One process of each kind, some ahead and some behind. */
const clocks: Fault = {
  name: 'clocks differ by five minutes',
  isUnnoticed: true,
  async happen(installation, books) {
    const skewed = installation.members.filter(({ name }) => name.endsWith('1'))
    for (const [at, { name }] of skewed.entries())
      await installation.restart(name, { env: clockAhead(at % 2 ? -SKEW_SECONDS : SKEW_SECONDS) })
    await delay(AWAY_MS)
    const silent = skewed.filter(
      ({ kind, name }) => kind !== 'gateway' && !/Clock differs/.test(installation.logs(name)),
    )
    for (const { name } of skewed) await installation.restart(name, {})
    books.wrong.push(...silent.map(({ name }) => `${name} does not log that its clock differs`))
  },
}

const pgbouncer: Fault = {
  name: 'kill -9 of PgBouncer',
  topology: 'pgbouncer',
  async happen({ pgbouncer }) {
    await pgbouncer?.kill()
    await delay(AWAY_MS)
    await pgbouncer?.restart()
  },
}

const patroni: Fault = {
  name: 'kill -9 of the primary, and Patroni fails over',
  topology: 'patroni',
  async happen({ patroni }) {
    await patroni?.kill()
    await patroni?.failedOver()
    await delay(AWAY_MS)
    await patroni?.restart()
    await patroni?.isWhole()
  },
}

const fullDisk: Fault = {
  name: 'the disk of PostgreSQL is full',
  topology: 'small disk',
  async happen({ database, disk }) {
    await disk?.fill()
    await delay(BEYOND_LEASE_MS)
    await disk?.free()
    // It ends itself where it cannot write its log.
    if (!(await isUp(database.url))) await database.restart()
  },
}

const isUp = (url: string): Promise<boolean> =>
  asking(url, (client) => client.query('select 1')).then(
    () => true,
    () => false,
  )

const versions: Fault = {
  name: 'an upgrade and a roll back, one process after the other',
  topology: 'former version',
  isUnnoticed: true,
  async happen(installation, books) {
    const { dist = '' } = installation
    books.wrong.push(...(await formerIdentity(dist)))
    for (const { name } of installation.members) await installation.restart(name, {})
    await delay(AWAY_MS)
    for (const { name } of installation.members) await installation.restart(name, { dist })
    await delay(AWAY_MS)
    for (const { name } of installation.members) await installation.restart(name, {})
  },
}

const backup: Fault = {
  name: 'a backup is made under load and restored elsewhere',
  isUnnoticed: true,
  async happen(installation, books) {
    books.wrong.push(...(await restoredBackup(installation, books)))
  },
}

async function asking(url: string, ask: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: await writableServer(url) })
  await client.connect()
  try {
    await ask(client)
  } finally {
    await client.end()
  }
}

export const FAULTS: readonly Fault[] = [
  ...KILLED.map((name) => killed(name)),
  killed('gateway1', 'gateway2'),
  killed('accounts1', 'accounts2'),
  killed('events1', 'events2'),
  killed('test-execution1', 'test-execution2'),
  killed('worker1', 'worker2'),
  everything,
  frozen('worker1'),
  frozen('events1'),
  frozen('test-execution1'),
  frozen('gateway1'),
  database,
  databaseFrozen,
  connectionsCut,
  nats,
  natsFrozen,
  linksCut,
  linksSilent,
  foreignTransaction,
  rollingRestart,
  clocks,
  backup,
  pgbouncer,
  { ...database, topology: 'pgbouncer', name: `${database.name}, behind PgBouncer` },
  patroni,
  fullDisk,
  versions,
]
