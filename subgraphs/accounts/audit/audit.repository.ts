import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { AuditEntry } from '../../../platform/audit/audit.ts'
import { checkText } from '../../../platform/database/database-text.ts'
import { readCounted } from '../../../platform/paging/counted-page.repository.ts'
import { type Connection, cursorOf, type IsKey, type Page } from '../../../platform/paging/page.ts'

/** Selects entries. An absent condition matches all. */
export interface AuditFilter {
  user?: string | null
  action?: string | null
  target?: string | null
  /** Not before. */
  from?: Date | null
  /** Before. */
  to?: Date | null
}

/** Keeps what every subgraph wrote down. */
export class AuditRepository {
  constructor(private readonly em: EntityManager) {}

  /** Records an action without a transaction of its own, because it changed nothing. */
  async add({
    id,
    at,
    user,
    action,
    target,
    requestId,
    address,
  }: Omit<AuditEntry, 'subject'>): Promise<void> {
    await sql`insert into audit.entry (id, at, "user", action, target, request_id, address)
      values (${id}, ${at}, ${user}, ${action}, ${target}, ${requestId}, ${address})`.execute(
      this.em.fork().getKysely(),
    )
  }

  /** Deletes those of the `limit` oldest entries that are older. @returns how many */
  async prune(before: Date, limit: number): Promise<number> {
    const { numAffectedRows } = await sql`delete from audit.entry where id in (
      select id from (select id, at from audit.entry order by id limit ${limit}) as oldest
      where at < ${before})`.execute(this.em.fork().getKysely())
    return Number(numAffectedRows ?? 0)
  }

  /**
   * The latest sign-in of each account from each address, the latest first.
   * @param ofAccount addresses of one account, at most @param limit in all
   */
  async signIns(since: Date, ofAccount: number, limit: number): Promise<SignInEntry[]> {
    const { rows } = await sql<Omit<SignInEntry, 'at'> & { at: string }>`
      select account, address, at from (
        select "user" as account, address, max(at) as at,
          row_number() over (partition by "user" order by max(at) desc) as place
        from audit.entry
        where action = 'signIn' and at >= ${since} and id >= ${firstIdAt(since)}
          and "user" is not null and address is not null
        group by "user", address) as latest
      where place <= ${ofAccount} order by at desc limit ${limit}`.execute(
      this.em.fork().getKysely(),
    )
    return rows.map((row) => ({ ...row, at: new Date(row.at) }))
  }

  /** The latest first. @throws AppError BAD_USER_INPUT for a text that no database can hold */
  async page(page: Page, filter: AuditFilter): Promise<Connection<AuditEntry>> {
    checkText('filter', filter)
    const matching = conditionsOf(filter)
    const [from] = page.from ?? []
    const behind = from ? [page.isBackward ? sql`id > ${from}` : sql`id < ${from}`] : []
    const order = page.isBackward ? sql`id asc` : sql`id desc`
    return readCounted(this.em, page, async (em) => {
      const kysely = em.getKysely()
      const { rows } = await sql<FoundEntry>`
        select id, at, "user", action, target, request_id as "requestId", address, subject
        from audit.entry
        where ${sql.join([...matching, ...behind], sql` and `)}
        order by ${order} limit ${page.limit + 1}`.execute(kysely)
      return {
        rows: rows.map((row) => ({ ...row, at: new Date(row.at) })),
        cursorOf: ({ id }) => cursorOf(id),
        count: async () => {
          const counted = await sql<{ count: number }>`
            select count(*)::int as count from audit.entry
            where ${sql.join(matching, sql` and `)}`.execute(kysely)
          return counted.rows[0]?.count ?? 0
        },
      }
    })
  }
}

export interface SignInEntry {
  account: string
  address: string
  at: Date
}

/** No entry of that time or later has a lower id, so the primary key finds entries by time. */
const firstIdAt = (at: Date): string =>
  uuidv7({ msecs: at.getTime(), seq: 0, random: new Uint8Array(16) })

/** Outside its own mapping MikroORM leaves times as text. */
type FoundEntry = Omit<AuditEntry, 'at'> & { at: string }

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

export const isAuditKey: IsKey = ([id = '', ...rest]) => UUID.test(id) && rest.length === 0

const conditionsOf = ({ user, action, target, from, to }: AuditFilter): RawBuilder<unknown>[] => [
  sql`true`,
  ...(user == null ? [] : [sql`"user" = ${user}`]),
  ...(action == null ? [] : [sql`action = ${action}`]),
  ...(target == null ? [] : [sql`target = ${target}`]),
  ...(from == null ? [] : [sql`at >= ${from}`]),
  ...(to == null ? [] : [sql`at < ${to}`]),
]
