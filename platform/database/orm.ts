import { setTimeout as delay } from 'node:timers/promises'
import { Migrator } from '@mikro-orm/migrations'
import {
  type EntityManager,
  type EntitySchema,
  type MigrationObject,
  MikroORM,
  PostgreSqlDriver,
} from '@mikro-orm/postgresql'
import type { PostgresDialect } from 'kysely'
import pg from 'pg'
import { AUDIT_MIGRATIONS } from '../audit/migrations/index.ts'
import { advanceSequencesSql, type Numbered } from '../position/advance-sequences.ts'
import type { Logger } from '../process/logger.ts'
import type { SubgraphDeps } from '../subgraph/subgraph.ts'
import { clientOf, named, serversOf } from './database-servers.ts'
import { cutWhenFrozen } from './frozen-server.ts'
import { Lists, registerLists } from './lists.repository.ts'
import { ENCODING, type Encoded, requireUnicode } from './require-unicode.ts'
import { PooledDialect, runSql } from './sql.ts'

/** The tables of a subgraph. */
export interface Storage {
  /** The database schema that holds them. */
  schema: string
  entities: readonly EntitySchema[]
  migrations: readonly MigrationObject[]
  /** Former names of migrations, with those of now: where they ran under the former one, they do not run again. */
  renamedMigrations?: Readonly<Record<string, string>>
}

export interface OrmOptions extends Storage {
  url: string
  /** Address of the database itself, which migrations need where `url` leads to a pooler of transactions. */
  directUrl?: string | undefined
  /** A replica of it, for lists. */
  readUrl?: string | undefined
  log?: Pick<Logger, 'warn' | 'info'>
  /** Columns that share a sequence with the one that owns it. */
  numbered?: readonly Numbered[]
  /** Connections at most. */
  poolSize?: number | undefined
  /** Reads the text of jsonb, in place of JSON.parse. */
  parseJsonb?: (text: string) => unknown
}

/** Options of the ORM, from the settings of a process. */
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

/** Table of the migrations that have run, in each schema. */
export const MIGRATIONS_TABLE = 'mikro_orm_migrations'

/** One number for all subgraphs: they migrate one after the other, in whichever process. */
export const MIGRATION_LOCK = 727_401

const POOL_SIZE = 10
/** Share of the connections that lists may take. */
const SHARE_OF_LISTS = 0.5
/** A replica that takes longer is away. */
const CONNECT_TO_REPLICA_MS = 1_000

const LOOK_AGAIN_MS = 5
/** One holds the lock, one migrates. */
const MIGRATION_CONNECTIONS = 2

/** Object ids of types in the catalogue of PostgreSQL. */
const JSONB = 3802
const TIMES = [1082, 1114, 1184, 1186]

/** A started ORM, for those who only pass it on. */
export type Orm = MikroORM

/** Connects and brings the tables up to date. Several processes may start at once: they take turns. */
export async function startOrm({ directUrl, readUrl, ...options }: OrmOptions): Promise<MikroORM> {
  if (directUrl) {
    const direct = await startOrm({ ...options, url: directUrl, poolSize: MIGRATION_CONNECTIONS })
    await closeOrm(direct)
    return withLists(createOrm(options, { isPooled: true }), { ...options, readUrl })
  }
  const orm = withLists(createOrm(options), { ...options, readUrl })
  try {
    await migrate(orm, options)
  } catch (error) {
    await closeOrm(orm)
    throw error
  }
  return orm
}

function withLists(orm: MikroORM, options: OrmOptions): MikroORM {
  const { readUrl, poolSize = POOL_SIZE, log } = options
  const replica = readUrl
    ? createOrm({ ...options, url: named(readUrl, 'lists') }, { isPooled: true, isReplica: true })
    : undefined
  if (replica) replicas.set(orm, replica)
  const most = replica ? poolSize : Math.ceil(poolSize * SHARE_OF_LISTS)
  registerLists(orm.em, new Lists({ primary: orm.em, replica: replica?.em, most, log }))
  return orm
}

/** Replicas that close with an ORM. */
const replicas = new WeakMap<MikroORM, MikroORM>()

interface Connecting {
  /** True if a pooler may be between, which gives a connection to each transaction: the next one may lack the statement. */
  isPooled?: boolean
  isReplica?: boolean
}

function createOrm(
  options: OrmOptions,
  { isPooled = false, isReplica = false }: Connecting = {},
): MikroORM {
  if (options.migrations.length === 0)
    throw new Error(`No migration was found for ${options.schema}`)
  const pool = createPool(options, isReplica)
  const clientUrl = serversOf(options.url)[0]
  const orm = ormOn({ clientUrl }, options, new PooledDialect(pool, !isPooled))
  pools.set(orm.em.getConnection(), pool)
  return orm
}

/** Its own migrations, and those of the audit log behind them. */
export const migrationsOf = ({ migrations }: Pick<Storage, 'migrations'>): MigrationObject[] => [
  ...migrations,
  ...AUDIT_MIGRATIONS,
]

/** An ORM on connections of ours. Unlike `init` it looks for no extensions that might be installed. */
export const ormOn = (
  database: { clientUrl: string } | { dbName: string },
  { schema, entities, migrations }: Storage,
  driverOptions: PostgresDialect,
): MikroORM =>
  new MikroORM({
    ...database,
    driver: PostgreSqlDriver,
    schema,
    entities: [...entities],
    extensions: [Migrator],
    forceUtcTimezone: true,
    driverOptions,
    migrations: {
      migrationsList: migrationsOf({ migrations }),
      schema,
      snapshot: false,
      silent: true,
      transactional: true,
    },
  })

function createPool(
  { url, poolSize = POOL_SIZE, parseJsonb }: OrmOptions,
  isReplica: boolean,
): pg.Pool {
  const types = new pg.TypeOverrides()
  for (const id of TIMES) types.setTypeParser(id, (text) => text) // the ORM reads them
  if (parseJsonb) types.setTypeParser(JSONB, parseJsonb)
  const pool = new pg.Pool({
    connectionString: serversOf(url)[0],
    max: poolSize,
    Client: clientOf(url),
    ...(isReplica && { connectionTimeoutMillis: CONNECT_TO_REPLICA_MS }),
    types,
  })
  // Without listeners the loss of a connection would end the process; the query in flight reports it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  if (isReplica) pool.on('connect', cutWhenFrozen)
  return pool
}

const pools = new WeakMap<object, pg.Pool>()

/** The pool of an ORM's connections. @throws Error for an ORM that `startOrm` did not start */
export function poolOf(em: Pick<EntityManager, 'getConnection'>): pg.Pool {
  const pool = pools.get(em.getConnection())
  if (!pool) throw new Error('startOrm did not start this ORM')
  return pool
}

/**
 * Lets queries in flight end before the connections close. Whoever waits for a connection meanwhile would wait for ever
 * (pg-pool), and one that is made meanwhile would never be given back (Kysely): the pool would not close.
 */
export async function closeOrm(orm: MikroORM): Promise<void> {
  const replica = replicas.get(orm)
  if (replica) await closeOrm(replica)
  const pool = poolOf(orm.em)
  // A query asked just before has not reached the pool yet.
  do await delay(LOOK_AGAIN_MS)
  while (pool.waitingCount > 0 || pool.totalCount > pool.idleCount)
  await orm.close()
}

/** The names of now, of migrations that ran when a backup was written. */
export const migrationNames = (
  { renamedMigrations = {} }: Storage,
  names: readonly string[],
): string[] => names.map((name) => renamedMigrations[name] ?? name)

/** The migrator creates the schema itself, on a connection of its own: creating it here would block that one. */
const migrate = (
  orm: MikroORM,
  { schema, numbered = [], renamedMigrations = {} }: OrmOptions,
): Promise<void> =>
  orm.em.fork().transactional(async (em) => {
    for (const database of await runSql<Encoded>(em, ENCODING)) requireUnicode(database)
    await runSql(em, 'select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await runSql(em, advanceSequencesSql(schema, numbered))
    for (const [former, name] of Object.entries(renamedMigrations))
      await runSql(em, renameSql(schema, former, name))
    let migration: string | undefined
    orm.migrator.on('migrating', ({ name }) => {
      migration = name
    })
    try {
      await orm.migrator.up({ transaction: em.getTransactionContext() })
    } catch (error) {
      throw migration ? failedMigration(migration, schema, error as Error) : error // the driver throws errors only
    }
  })

/** Keeps the code of the cause, which the hints for operators go by. */
const failedMigration = (name: string, schema: string, cause: Error & { code?: unknown }): Error =>
  Object.assign(
    new Error(
      `The migration ${name} of the database schema ${schema} failed: ${cause.message}\nThis start has stored no migration of that schema: all run in one transaction, which was rolled back.\nMend the cause and start again, or start the version before: see docs/how-to/upgrade.md.`,
      { cause },
    ),
    { code: cause.code },
  )

/** At a first start that table is not there yet. */
const renameSql = (schema: string, former: string, name: string): string =>
  `do $$ begin
    if to_regclass('${schema}.${MIGRATIONS_TABLE}') is not null then
      update "${schema}".${MIGRATIONS_TABLE} set name = '${name}' where name = '${former}';
    end if;
  end $$`
