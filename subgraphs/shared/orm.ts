import { Migrator } from '@mikro-orm/migrations'
import {
  type EntitySchema,
  type MigrationObject,
  MikroORM,
  PostgreSqlDriver,
} from '@mikro-orm/postgresql'

export interface OrmOptions {
  url: string
  /** The database schema that holds this subgraph's tables. */
  schema: string
  entities: readonly EntitySchema[]
  migrations: readonly MigrationObject[]
  /** Connections at most. */
  poolSize?: number
}

/** One number for all subgraphs: they migrate one after the other, in whichever process. */
const MIGRATION_LOCK = 727_401

/** Connects and brings the tables up to date. Several processes may start at once: they take turns. */
export async function startOrm({
  url,
  schema,
  entities,
  migrations,
  poolSize = 10,
}: OrmOptions): Promise<MikroORM> {
  if (migrations.length === 0) throw new Error(`No migration was found for ${schema}`)
  const orm = await MikroORM.init({
    driver: PostgreSqlDriver,
    clientUrl: url,
    schema,
    entities: [...entities],
    extensions: [Migrator],
    forceUtcTimezone: true,
    pool: { max: poolSize },
    migrations: {
      migrationsList: [...migrations],
      schema,
      snapshot: false,
      silent: true,
      transactional: true,
    },
  })
  try {
    await migrate(orm)
  } catch (error) {
    await orm.close()
    throw error
  }
  return orm
}

/** The migrator creates the schema itself, on a connection of its own: creating it here would block that one. */
const migrate = (orm: MikroORM): Promise<void> =>
  orm.em.fork().transactional(async (em) => {
    await em.execute('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
    await orm.migrator.up({ transaction: em.getTransactionContext() })
  })
