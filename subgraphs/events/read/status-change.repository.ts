import type { MikroORM } from '@mikro-orm/postgresql'
import { readCounted } from '../../../platform/paging/counted-page.repository.ts'
import { type Connection, cursorOf, type IsKey, type Page } from '../../../platform/paging/page.ts'
import { StatusChangeEntity, type StoredStatusChange } from '../tables/status-change.entity.ts'

/** Reads the changes of an event's status, the latest first. */
export class StatusChangeRepository {
  constructor(private readonly orm: MikroORM) {}

  findPage(eventId: string, page: Page): Promise<Connection<StoredStatusChange>> {
    const id = page.from?.[0]
    const behind = id === undefined ? {} : { id: page.isBackward ? { $gt: id } : { $lt: id } }
    return readCounted(this.orm.em, page, async (em) => {
      const rows = await em.find(
        StatusChangeEntity,
        { eventId, ...behind },
        { orderBy: { id: page.isBackward ? 'asc' : 'desc' }, limit: page.limit + 1 },
      )
      return {
        rows: rows as unknown as StoredStatusChange[],
        cursorOf: ({ id }) => cursorOf(id),
        count: () => em.count(StatusChangeEntity, { eventId }),
      }
    })
  }
}

export const isStatusChangeKey: IsKey = (parts) =>
  parts.length === 1 && parts.every((part) => /^\d{1,18}$/.test(part))
