import { setTimeout as delay } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { AppError } from '../../formats/errors.ts'
import { Queue } from '../load/load.ts'
import type { Logger } from '../process/logger.ts'
import { failureOf } from './database-error.ts'
import { inTransaction, runSql } from './sql.ts'

export interface ListsOptions {
  primary: EntityManager
  /** A server that follows the primary. */
  replica: EntityManager | undefined
  /** Lists that are read at a time; the pool has more connections. */
  most: number
  log: Pick<Logger, 'warn' | 'info'> | undefined
}

/** A list that waits longer for its turn is refused. */
const TURN_MS = 10_000
/** Time that a list waits for the replica to be as far as the primary was. */
const REPLICA_MS = 100
const LOOK_AGAIN_MS = 5
/** A replica that does not answer within this time is away. */
const ANSWER_MS = 1_000
/** After it was behind or away, the replica is left alone for this time. */
const LEFT_ALONE_MS = 2_000

const QUERY_CANCELED = '57014'

/**
 * Connections from which lists and statistics read. They take a share of the connections, so that slow ones leave the others free. With a
 * replica (DATABASE_READ_URL) they read there what was committed before they began: the position in the primary's log is
 * asked first, and a replica that is behind it is not read.
 */
export class Lists {
  readonly #options: ListsOptions
  readonly #share: Queue
  #leftAloneUntil = 0
  /** Lists read so far, by server. */
  readonly counts = { primary: 0, replica: 0 }

  constructor(options: ListsOptions) {
    this.#options = options
    const refusal = () => tooManyLists(options.most)
    this.#share = new Queue(options.most, { patience: { ms: TURN_MS, refusal } })
  }

  /** @param read may run twice: what fails on the replica runs on the primary @throws AppError OVERLOADED */
  read<Result>(read: (em: EntityManager) => Promise<Result>): Promise<Result> {
    return this.#share.run(() => this.#readSomewhere(read))
  }

  async #readSomewhere<Result>(read: (em: EntityManager) => Promise<Result>): Promise<Result> {
    const { primary, replica } = this.#options
    if (replica && (await this.#isUpToDate(replica))) {
      try {
        const result = await read(replica)
        this.counts.replica++
        return result
      } catch (error) {
        if (!isOfReplica(error)) throw error
        this.#leaveAlone(error)
      }
    }
    this.counts.primary++
    return read(primary)
  }

  async #isUpToDate(replica: EntityManager): Promise<boolean> {
    if (performance.now() < this.#leftAloneUntil) return false
    try {
      const isThere = await Promise.race([
        this.#reaches(replica),
        delay(ANSWER_MS, null, { ref: false }),
      ])
      if (isThere === null) throw new Error(`It did not answer within ${ANSWER_MS} ms`)
      if (!isThere) throw new Error(`It is more than ${REPLICA_MS} ms behind`)
      if (this.#leftAloneUntil > 0)
        this.#options.log?.info('Replica is up to date again: lists read it')
      this.#leftAloneUntil = 0
      return true
    } catch (error) {
      this.#leaveAlone(error)
      return false
    }
  }

  /** True if the replica has all that the primary had written when this was called. */
  async #reaches(replica: EntityManager): Promise<boolean> {
    const [primary] = await runSql<{ position: string }>(this.#options.primary, POSITION)
    const until = performance.now() + REPLICA_MS
    for (;;) {
      const [answer] = await runSql<{ reached: boolean }>(replica, REACHED, [primary?.position])
      if (answer?.reached) return true
      if (performance.now() > until) return false
      await delay(LOOK_AGAIN_MS)
    }
  }

  #leaveAlone(error: unknown): void {
    if (this.#leftAloneUntil === 0) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#options.log?.warn({ reason }, 'Replica is not read: lists read the primary')
    }
    this.#leftAloneUntil = performance.now() + LEFT_ALONE_MS
  }
}

const POSITION = 'select pg_current_wal_flush_lsn()::text as position'

/** None on a server that follows no other. */
const REACHED = 'select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as reached'

/**
 * Reads a list in one transaction, whose statements see the same rows, and which the database ends when one of them takes
 * too long: an index helps most queries, but not all.
 * @param tooSlow makes the error then
 */
export async function readInTime<Result>(
  em: EntityManager,
  timeoutMs: number,
  read: (em: EntityManager) => Promise<Result>,
  tooSlow: (cause: unknown) => Error,
): Promise<Result> {
  const options = { isSnapshot: true, settings: { statement_timeout: timeoutMs } }
  try {
    return await listsOf(em).read((server) => inTransaction(server, read, options))
  } catch (error) {
    throw isTooSlow(error) ? tooSlow(error) : error
  }
}

/** True if the database ended a statement that took too long. */
export const isTooSlow = (error: unknown): boolean =>
  (error as { code?: unknown }).code === QUERY_CANCELED

/** True if another server may answer what this one did not: a statement that takes too long takes long there, too. */
const isOfReplica = (error: unknown): boolean =>
  failureOf(error) === 'transient' && !isTooSlow(error)

const byConnection = new WeakMap<object, Lists>()

/** Lists of an ORM, for those who have any of its entity managers. */
export const registerLists = (em: EntityManager, lists: Lists): void =>
  void byConnection.set(em.getConnection(), lists)

/** @throws Error for an ORM that `startOrm` did not start */
export function listsOf(em: Pick<EntityManager, 'getConnection'>): Lists {
  const lists = byConnection.get(em.getConnection())
  if (!lists) throw new Error('startOrm did not start this ORM')
  return lists
}

const tooManyLists = (most: number) =>
  new AppError(
    'OVERLOADED',
    `${most} lists run at a time, and none of them ended in ${TURN_MS} ms: try again later`,
  )
