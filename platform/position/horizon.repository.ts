import type { EntityManager } from '@mikro-orm/postgresql'
import { runSql, type Statement } from '../database/sql.ts'
import type { Logger } from '../process/logger.ts'

/** Up to where no row can appear any more: see position-sql.ts. */
export interface Horizon {
  complete: string
  /** The last position that was drawn. */
  last: string
  /** A transaction that may store rows behind `complete` is still open. */
  isHeldBack: boolean
}

/** A transaction of ours that holds readers back for longer than this is reported, and again after as long. */
const HELD_BACK_MS = 10_000

/** Reads the horizon of one sequence for all readers of this process. */
export class HorizonRepository {
  readonly #em: EntityManager
  readonly #schema: string
  readonly #statement: Statement
  readonly #log: Pick<Logger, 'warn'>
  readonly #heldBackMs: number
  #running: Promise<unknown> = Promise.resolve()
  #next: Promise<Horizon> | undefined
  #held: { complete: string; begun: number; reported: number } | undefined

  constructor(
    em: EntityManager,
    schema: string,
    log: Pick<Logger, 'warn'>,
    heldBackMs = HELD_BACK_MS,
  ) {
    this.#em = em
    this.#schema = schema
    this.#statement = {
      name: `horizon-${schema}`,
      text: `select complete::text, last::text, complete < last as "isHeldBack", writer from ${schema}.horizon()`,
    }
    this.#log = log
    this.#heldBackMs = heldBackMs
  }

  /** Callers share the next query to begin, so each sees what was committed before its call. */
  read(): Promise<Horizon> {
    if (!this.#next) {
      this.#next = this.#running.then(() => {
        this.#next = undefined
        return this.#ask()
      })
      this.#running = this.#next.catch(() => {})
    }
    return this.#next
  }

  /** Number of positions that streams wait for, and the seconds for which the horizon has stood still with them. */
  async lag(): Promise<{ positions: number; seconds: number }> {
    const { complete, last } = await this.read()
    const positions = Number(BigInt(last) - BigInt(complete))
    const seconds = this.#held ? (performance.now() - this.#held.begun) / 1_000 : 0
    return { positions, seconds }
  }

  async #ask(): Promise<Horizon> {
    const rows = await runSql<Horizon & { writer: number | null }>(this.#em, this.#statement)
    const [{ writer, ...horizon } = NOTHING] = rows
    await this.#watch(horizon, writer)
    return horizon
  }

  async #watch({ complete, isHeldBack }: Horizon, writer: number | null): Promise<void> {
    const now = performance.now()
    if (!isHeldBack) this.#held = undefined
    else if (this.#held?.complete !== complete) this.#held = { complete, begun: now, reported: now }
    else if (now - this.#held.reported > this.#heldBackMs) {
      this.#held.reported = now
      const [session] = await runSql<object>(this.#em, DESCRIBE, [writer])
      this.#log.warn(
        { schema: this.#schema, position: complete, pid: writer, ...session },
        'Streams and the index wait for a transaction of this product that stays open: end its session with pg_terminate_backend(pid) if nothing works on it',
      )
    }
  }
}

const NOTHING = { complete: '0', last: '0', isHeldBack: false, writer: null }

const DESCRIBE = `
  select application_name as "applicationName", state, extract(epoch from clock_timestamp() - xact_start)::float8 as "ageSeconds"
  from pg_stat_activity where pid = $1`
