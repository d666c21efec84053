import {
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPoolClient,
} from 'kysely'
import type pg from 'pg'
import { ormOn, type Storage } from '../platform/database/orm.ts'

/** Runs the named migrations within the transaction that `client` is in, so that they end with all else or not at all. */
export async function migrateOn(
  client: pg.ClientBase,
  storage: Storage,
  names: readonly string[],
): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  // Kysely needs one of the three signatures that pg's `query` has.
  const connection = {
    query: client.query.bind(client),
    release: () => {},
  } as unknown as PostgresPoolClient
  const pool = { connect: async () => connection, end: async () => {}, options: {} }
  const orm = ormOn({ dbName: rows[0]?.name ?? '' }, storage, new JoiningDialect({ pool }))
  try {
    await orm.migrator.up({ migrations: [...names] })
  } finally {
    await orm.close()
  }
}

/** Does not begin or end transactions: everything runs in the one that the connection is in. */
class JoiningDriver extends PostgresDriver {
  override async beginTransaction(): Promise<void> {}
  override async commitTransaction(): Promise<void> {}
  override async rollbackTransaction(): Promise<void> {}
}

class JoiningDialect extends PostgresDialect {
  constructor(private readonly config: PostgresDialectConfig) {
    super(config)
  }

  override createDriver(): Driver {
    return new JoiningDriver(this.config)
  }
}
