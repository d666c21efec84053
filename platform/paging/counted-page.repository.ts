import type { EntityManager } from '@mikro-orm/postgresql'
import { inTransaction } from '../database/sql.ts'
import { type Connection, connect, type Page, type PageRows } from './page.ts'

/** Reads a page, and the length of its list from the same snapshot where it is asked for. */
export async function readCounted<Node>(
  em: EntityManager,
  page: Page,
  read: (em: EntityManager) => Promise<PageRows<Node>>,
): Promise<Connection<Node>> {
  if (!page.isCounted) return connect(page, await read(em.fork()))
  const both = async (snapshot: EntityManager) => {
    const connection = connect(page, await read(snapshot))
    await connection.count()
    return connection
  }
  return inTransaction(em, both, { isSnapshot: true, isAudited: false })
}
