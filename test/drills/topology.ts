import { type Releasers, withReleasers } from '../../platform/process/releasers.ts'
import { type DebianPostgres, startDebianPostgres } from '../support/system/debian-postgres.ts'
import { type PgBouncer, startPgBouncer } from '../support/system/pgbouncer.ts'
import { buildFormerVersion } from './former.ts'
import { type PatroniCluster, startPatroni } from './patroni.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** Topologies of an installation, besides one server of PostgreSQL: faults that need something else have their own. */
export const TOPOLOGIES = ['plain', 'pgbouncer', 'patroni', 'small disk', 'former version'] as const
export type Topology = (typeof TOPOLOGIES)[number]

export interface Ground {
  database: DebianPostgres
  /** Variables of every process. */
  env: Record<string, string>
  /** Build that runs at first; absent: this version. */
  dist?: string
  pgbouncer?: PgBouncer
  patroni?: PatroniCluster
  disk?: SmallDisk
  stop(): Promise<void>
}

export const startGround = (topology: Topology): Promise<Ground> =>
  withReleasers(async (releasers) => {
    const parts = await PARTS[topology](releasers)
    const { url } = parts.database
    return { env: { DATABASE_URL: url }, ...parts, stop: () => releasers.release() }
  })

type Parts = Omit<Ground, 'env' | 'stop'> & Partial<Pick<Ground, 'env'>>

const PARTS: Readonly<Record<Topology, (releasers: Releasers) => Promise<Parts>>> = {
  plain: async (releasers) => ({ database: await plainDatabase(releasers) }),
  async pgbouncer(releasers) {
    const database = await plainDatabase(releasers)
    const pgbouncer = await startPgBouncer(database.url)
    releasers.defer(() => pgbouncer.stop())
    const env = { DATABASE_URL: pgbouncer.url, DATABASE_DIRECT_URL: database.url }
    return { database, pgbouncer, env }
  },
  async patroni(releasers) {
    const patroni = await startPatroni()
    releasers.defer(() => patroni.stop())
    return { database: patroni, patroni }
  },
  async 'small disk'(releasers) {
    const disk = await mountSmallDisk()
    releasers.defer(() => disk.stop())
    const database = await startDebianPostgres({ within: disk.folder })
    releasers.defer(() => database.stop())
    return { database, disk }
  },
  async 'former version'(releasers) {
    const { dist, remove } = await buildFormerVersion()
    releasers.defer(remove)
    return { database: await plainDatabase(releasers), dist }
  },
}

async function plainDatabase(releasers: Releasers): Promise<DebianPostgres> {
  const database = await startDebianPostgres()
  releasers.defer(() => database.stop())
  return database
}
