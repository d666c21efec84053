import { setTimeout as delay } from 'node:timers/promises'
import { Migrator } from '@mikro-orm/migrations'
import {
  type EntityManager,
  type EntitySchema,
  type MigrationObject,
  MikroORM,
  type PostgreSqlConnection,
  PostgreSqlDriver,
} from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import pg, { type Pool } from 'pg'
import { INSERT_ENTRY, pendingEntry } from '../audit/audit.ts'
import { AUDIT_MIGRATIONS } from '../audit/migrations/index.ts'
import { advanceSequencesSql, type Numbered } from '../position/advance-sequences.ts'
import type { Logger } from '../process/logger.ts'
import type { SubgraphDeps } from '../subgraph/subgraph.ts'
import { clientOf, named, nameIn, serversOf } from './database-servers.ts'
import { cutWhenFrozen } from './frozen-server.ts'
import { Lists, registerLists } from './lists.repository.ts'
import { PreparedClient, UnpreparedClient } from './prepared-client.ts'

export interface OrmOptions {
  url: string
  /** Where `url` leads to a pooler of transactions: the database itself, which migrations need. */
  directUrl?: string | undefined
  /** A replica of it, for lists. */
  readUrl?: string | undefined
  log?: Pick<Logger, 'warn' | 'info'>
  /** The database schema that holds this subgraph's tables. */
  schema: string
  entities: readonly EntitySchema[]
  migrations: readonly MigrationObject[]
  /** Columns that share a sequence with the one that owns it. */
  numbered?: readonly Numbered[]
  /** Connections at most. */
  poolSize?: number | undefined
  /** Reads the text of jsonb, in place of JSON.parse. */
  parseJsonb?: (text: string) => unknown
  /** Whether plain SQL with parameters is prepared: not where one plan may be bad for some of them. */
  isPrepared?: boolean
}

/** What the settings of a process say about its database. */
export const ormOptions = ({
  databaseUrl: url,
  directUrl,
  readUrl,
  poolSize,
}: Pick<SubgraphDeps, 'databaseUrl' | 'directUrl' | 'readUrl' | 'poolSize'>) => ({
  url,
  directUrl,
  readUrl,
  poolSize,
})

/** One number for all subgraphs: they migrate one after the other, in whichever process. */
export const MIGRATION_LOCK = 727_401

const POOL_SIZE = 10
/** Of the connections, for lists. */
const SHARE_OF_LISTS = 0.5
/** A replica that takes longer is away. */
const CONNECT_TO_REPLICA_MS = 1_000

const LOOK_AGAIN_MS = 5
/** One holds the lock, one migrates. */
const MIGRATION_CONNECTIONS = 2

/** Its object id in the catalogue of PostgreSQL. */
const JSONB = 3802

/** Connects and brings the tables up to date. Several processes may start at once: they take turns. */
export async function startOrm({ directUrl, readUrl, ...options }: OrmOptions): Promise<MikroORM> {
  if (directUrl) {
    const direct = await startOrm({ ...options, url: directUrl, poolSize: MIGRATION_CONNECTIONS })
    await closeOrm(direct)
    return withLists(createOrm(options, UnpreparedClient), { ...options, readUrl })
  }
  const orm = createOrm(options, options.isPrepared ? PreparedClient : pg.Client)
  withLists(orm, { ...options, readUrl })
  try {
    await migrate(orm, options.schema, options.numbered ?? [])
  } catch (error) {
    await closeOrm(orm)
    throw error
  }
  return orm
}

function withLists(orm: MikroORM, options: OrmOptions): MikroORM {
  const { readUrl, poolSize = POOL_SIZE, log } = options
  const replica = readUrl
    ? createOrm({ ...options, url: named(readUrl, 'lists') }, UnpreparedClient, true)
    : undefined
  if (replica) replicas.set(orm, replica)
  const server = ({ em }: MikroORM) => ({ em, pool: () => poolOf(em) })
  const most = replica ? poolSize : Math.ceil(poolSize * SHARE_OF_LISTS)
  const lists = new Lists({ primary: server(orm), replica: replica && server(replica), most, log })
  registerLists(orm.em, lists)
  return orm
}

/** What closes with an ORM. */
const replicas = new WeakMap<MikroORM, MikroORM>()

function createOrm(
  { url, schema, entities, migrations, poolSize = POOL_SIZE, parseJsonb }: OrmOptions,
  Client: typeof pg.Client,
  isReplica = false,
): MikroORM {
  if (migrations.length === 0) throw new Error(`No migration was found for ${schema}`)
  const OwnClient = clientOf(url, Client)
  // Unlike `init` it looks for no extensions that might be installed.
  return new MikroORM({
    driver: PostgreSqlDriver,
    clientUrl: serversOf(url)[0],
    schema,
    entities: [...entities],
    extensions: [Migrator],
    forceUtcTimezone: true,
    pool: { max: poolSize },
    driverOptions: {
      Client: OwnClient,
      application_name: nameIn(url),
      ...(isReplica && { connectionTimeoutMillis: CONNECT_TO_REPLICA_MS }),
      onPoolCreated(pool: Pool) {
        if (isReplica) cutWhenFrozen(pool, OwnClient)
        if (!parseJsonb) return
        const types = new pg.TypeOverrides(pool.options.types)
        types.setTypeParser(JSONB, parseJsonb)
        pool.options.types = types
      },
    },
    migrations: {
      migrationsList: [...migrations, ...AUDIT_MIGRATIONS],
      schema,
      snapshot: false,
      silent: true,
      transactional: true,
    },
  })
}

/**
 * A transaction of its own, on a fork of `em`. Unlike `em.transactional` it gives the connection back also when that was
 * lost before or during commit; a pool that keeps dead connections is empty after the database was restarted under load.
 * What runs in it must not begin another one.
 */
export const inTransaction = <Result>(
  em: EntityManager,
  run: (em: EntityManager) => Promise<Result>,
): Promise<Result> => {
  const fork = em.fork()
  return fork
    .getKysely()
    .transaction()
    .execute(async (transaction) => {
      fork.setTransactionContext(transaction)
      const result = await run(fork)
      const entry = pendingEntry()
      if (entry) {
        const insert = CompiledQuery.raw(INSERT_ENTRY, entry.values)
        if ((await transaction.executeQuery(insert)).numAffectedRows) entry.written()
      }
      return result
    })
}

/** The ORM's own pool, for statements that each stand for themselves. */
export const poolOf = (em: EntityManager): Promise<Pool> =>
  (em.getConnection() as PostgreSqlConnection).getNativeClient()

/**
 * Lets queries in flight end before the connections close. Whoever waits for a connection meanwhile would wait for ever
 * (pg-pool), and one that is made meanwhile would never be given back (Kysely): the pool would not close.
 */
export async function closeOrm(orm: MikroORM): Promise<void> {
  const replica = replicas.get(orm)
  if (replica) await closeOrm(replica)
  const pool = await poolOf(orm.em)
  while (pool.waitingCount > 0 || pool.totalCount > pool.idleCount) await delay(LOOK_AGAIN_MS)
  await orm.close()
}

/** The migrator creates the schema itself, on a connection of its own: creating it here would block that one. */
const migrate = (orm: MikroORM, schema: string, numbered: readonly Numbered[]): Promise<void> =>
  orm.em.fork().transactional(async (em) => {
    await em.execute('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
    await em.execute(advanceSequencesSql(schema, numbered))
    await orm.migrator.up({ transaction: em.getTransactionContext() })
  })
