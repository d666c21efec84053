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
import { clientOf, serversOf } from './database-servers.ts'
import { PreparedClient, UnpreparedClient } from './prepared-client.ts'

export interface OrmOptions {
  url: string
  /** Where `url` leads to a pooler of transactions: the database itself, which migrations need. */
  directUrl?: string | undefined
  /** The database schema that holds this subgraph's tables. */
  schema: string
  entities: readonly EntitySchema[]
  migrations: readonly MigrationObject[]
  /** Columns that share a sequence with the one that owns it. */
  numbered?: readonly Numbered[]
  /** Connections at most. */
  poolSize?: number
  /** Reads the text of jsonb, in place of JSON.parse. */
  parseJsonb?: (text: string) => unknown
  /** Whether plain SQL with parameters is prepared: not where one plan may be bad for some of them. */
  isPrepared?: boolean
}

/** One number for all subgraphs: they migrate one after the other, in whichever process. */
export const MIGRATION_LOCK = 727_401

const LOOK_AGAIN_MS = 5
/** One holds the lock, one migrates. */
const MIGRATION_CONNECTIONS = 2

/** Its object id in the catalogue of PostgreSQL. */
const JSONB = 3802

/** Connects and brings the tables up to date. Several processes may start at once: they take turns. */
export async function startOrm({ directUrl, ...options }: OrmOptions): Promise<MikroORM> {
  if (directUrl) {
    const direct = await startOrm({ ...options, url: directUrl, poolSize: MIGRATION_CONNECTIONS })
    await closeOrm(direct)
    return createOrm(options, UnpreparedClient)
  }
  const orm = createOrm(options, options.isPrepared ? PreparedClient : pg.Client)
  try {
    await migrate(orm, options.schema, options.numbered ?? [])
  } catch (error) {
    await closeOrm(orm)
    throw error
  }
  return orm
}

function createOrm(
  { url, schema, entities, migrations, poolSize = 10, parseJsonb }: OrmOptions,
  Client: typeof pg.Client,
): MikroORM {
  if (migrations.length === 0) throw new Error(`No migration was found for ${schema}`)
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
      Client: clientOf(url, Client),
      ...(parseJsonb && {
        onPoolCreated({ options }: Pool) {
          const types = new pg.TypeOverrides(options.types)
          types.setTypeParser(JSONB, parseJsonb)
          options.types = types
        },
      }),
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
