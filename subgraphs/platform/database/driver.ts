import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import type { CopyQuery } from './copy/copy-rows.ts'
import { isOutdatedPlan } from './database-error.ts'

/** A query that connections keep prepared under its name: parsed once, and planned once where one plan fits all values. */
export interface NamedQuery extends CompiledQuery {
  name?: string | undefined
}

/** A connection of the pool while Kysely holds it. Unlike Kysely's own it knows names of statements, and COPY. */
export class PooledConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #isPrepared: boolean
  #isLost = false

  constructor(client: pg.PoolClient, isPrepared: boolean) {
    this.#client = client
    this.#isPrepared = isPrepared
  }

  async executeQuery<Row>(query: NamedQuery): Promise<QueryResult<Row>> {
    const name = this.#isPrepared ? query.name : undefined
    const statement = { name, text: query.sql, values: [...query.parameters] }
    try {
      const { rows, rowCount } = await this.#client.query(statement)
      // Several statements at once, such as a `begin` with settings, have a result each, and none that is read.
      return { rows: rows ?? [], numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      this.#judge(error)
      throw error
    }
  }

  async copy(query: CopyQuery): Promise<string> {
    try {
      return await this.#client.query(query).ended
    } catch (error) {
      this.#judge(error)
      throw error
    }
  }

  // biome-ignore lint/correctness/useYield: nothing of ours streams rows
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are not streamed')
  }

  release(): void {
    this.#client.release(this.#isLost)
  }

  /** A pool that keeps dead connections is empty after the database was restarted under load. */
  #judge(error: unknown): void {
    const isUsable =
      error instanceof pg.DatabaseError && error.severity !== 'FATAL' && !isOutdatedPlan(error)
    if (!isUsable) this.#isLost = true
  }
}

class PooledDriver extends PostgresDriver {
  readonly #connect: () => Promise<PooledConnection>

  constructor(pool: pg.Pool, isPrepared: boolean) {
    super({ pool })
    this.#connect = async () => new PooledConnection(await pool.connect(), isPrepared)
  }

  override acquireConnection(): Promise<PooledConnection> {
    return this.#connect()
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ;(connection as PooledConnection).release() // as `acquireConnection` made it
  }
}

/** Kysely, and so MikroORM, on a pool of ours. @param isPrepared whether connections keep statements with a name prepared */
export class PooledDialect extends PostgresDialect {
  readonly #makeDriver: () => Driver

  constructor(pool: pg.Pool, isPrepared: boolean) {
    super({ pool })
    this.#makeDriver = () => new PooledDriver(pool, isPrepared)
  }

  override createDriver(): Driver {
    return this.#makeDriver()
  }
}
