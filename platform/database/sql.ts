import type { EntityManager } from '@mikro-orm/postgresql'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
  type RawBuilder,
  type Transaction,
} from 'kysely'
import pg, { type Connection, type Submittable } from 'pg'
import { INSERT_ENTRY, pendingEntry } from '../audit/audit.ts'
import type { Copy } from './copy.ts'
import { isOutdatedPlan } from './database-error.ts'

/** A query that connections keep prepared under its name: parsed once, and planned once where one plan fits all values. */
interface NamedQuery extends CompiledQuery {
  name?: string | undefined
}

/** A connection of the pool while Kysely holds it. Unlike Kysely's own it knows names of statements, and COPY. */
class PooledConnection implements DatabaseConnection {
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

/** A method of the driver that its types omit. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/**
 * Several COPY of data that is there as a whole, and a query behind them: all is one write and one round trip, in which
 * a transaction waits for this process only once. The package `pg-copy-streams` takes two and four for each, which was a
 * tenth of all that an ingestion costs. After a statement that the database refuses it drops the others and their data.
 */
export class CopyQuery implements Submittable {
  readonly #copies: readonly Copy[]
  readonly #query: string
  readonly #ended = Promise.withResolvers<string>()
  #value = ''
  /** The first value of the query: settles when the database has taken all, or refused some of it. */
  readonly ended = this.#ended.promise

  constructor(copies: readonly Copy[], query: string) {
    this.#copies = copies
    this.#query = query
  }

  /** Called by the driver, as are the others. */
  submit(given: Connection): void {
    const connection = given as CopyConnection
    connection.stream.cork()
    connection.query([...this.#copies.map(({ statement }) => statement), this.#query].join('; '))
    for (const { data } of this.#copies) {
      connection.sendCopyFromChunk(data)
      connection.endCopyFrom()
    }
    connection.stream.uncork()
  }

  handleCopyInResponse(): void {}

  handleRowDescription(): void {}

  handleDataRow({ fields: [value] }: { fields: string[] }): void {
    this.#value = value ?? ''
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#ended.resolve(this.#value)
  }

  handleError(error: Error): void {
    this.#ended.reject(error)
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

/** Runs statements: an entity manager, in its transaction if it has one, or else each by itself. */
export type Sql = Pick<EntityManager, 'getKysely'>

/** SQL with `$1`… for values. A name, one for each text, keeps it prepared: not where a plan must fit the values. */
export interface Statement {
  name: string
  text: string
}

/** Runs one statement with bound parameters. Unlike `em.execute`, which writes values into the text, it sends them apart. */
export async function runSql<Row>(
  sql: Sql,
  statement: string | Statement,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const { name, text } =
    typeof statement === 'string' ? { name: undefined, text: statement } : statement
  const query: NamedQuery = { ...CompiledQuery.raw(text, [...parameters]), name }
  return (await sql.getKysely().executeQuery<Row>(query)).rows
}

/** Runs a statement of Kysely's that is kept prepared. @param name of its text, which must be the same at each call; if any */
export function runPrepared<Row>(
  sql: Sql,
  name: string | undefined,
  statement: RawBuilder<Row>,
): Promise<QueryResult<Row>> {
  const kysely = sql.getKysely()
  const query: NamedQuery = { ...statement.compile(kysely), name }
  return kysely.executeQuery<Row>(query)
}

/** Appends rows, then runs a query: in one round trip. @returns the first value of the query */
export const runCopies = (sql: Sql, copies: readonly Copy[], query: string): Promise<string> =>
  sql
    .getKysely()
    .getExecutor()
    .provideConnection(
      (connection) => (connection as PooledConnection).copy(new CopyQuery(copies, query)), // as our driver made it
    )

export interface TransactionOptions {
  /** All statements see the rows of the same moment. */
  isSnapshot?: boolean
  /** Settings of PostgreSQL until the transaction ends, such as `statement_timeout`. */
  settings?: Readonly<Record<string, string | number>>
  /** False where no mutation that is written down runs it. */
  isAudited?: boolean
}

/** Waits for locked rows less than PostgreSQL does before it looks for a deadlock: this transaction ends, and not the other. */
export const YIELDING: TransactionOptions = { settings: { lock_timeout: 500 } }

/**
 * A transaction of its own, on a fork of `em`. Unlike `em.transactional` it begins with its settings in one round trip,
 * gives the connection back also when that was lost before or during commit, and writes the audit log. What runs in it
 * must not begin another one.
 */
export const inTransaction = <Result>(
  em: EntityManager,
  run: (em: EntityManager) => Promise<Result>,
  options?: TransactionOptions,
): Promise<Result> => {
  const fork = em.fork()
  return fork
    .getKysely()
    .connection()
    .execute(async (connection) => {
      fork.setTransactionContext(connection as Transaction<unknown>) // what is run with it runs between begin and commit
      try {
        await runSql(fork, beginOf(options))
        const result = await run(fork)
        const entry = options?.isAudited === false ? null : pendingEntry()
        if (entry && (await runSql(fork, INSERT_ENTRY, entry.values)).length > 0) entry.written()
        await runSql(fork, 'commit')
        return result
      } catch (error) {
        await runSql(fork, 'rollback').catch(() => {}) // the connection is lost, and the transaction with it
        throw error
      }
    })
}

/**
 * PostgreSQL compiles plans that look costly, at each run. Ours look costly where they leave out ways of the planner, and
 * compiling one takes many times as long as running it.
 */
const JIT_OFF = 'set local jit = off'

function beginOf({ isSnapshot, settings = {} }: TransactionOptions = {}): string {
  const begin = isSnapshot ? 'begin isolation level repeatable read' : 'begin'
  const set = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`)
  return [begin, JIT_OFF, ...set].join('; ')
}
