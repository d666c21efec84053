import { setTimeout as delay } from 'node:timers/promises'
import { type Orm, poolOf } from '../../../platform/database/orm.ts'
import { HorizonRepository } from '../../../platform/position/horizon.repository.ts'
import { SearchRepository } from '../../../subgraphs/events/read/index/search.repository.ts'

const IS_BEHIND = `
  select exists (select from events.raw_event as raw, events.search_position as position
    where raw.id > position.id) as "isBehind"`

/** The horizon of the events in a database. */
export const horizonOf = (orm: Orm) => new HorizonRepository(orm.em, 'events', { warn: () => {} })

/** Indexes all raw events. @returns how many it were */
export async function indexAll(orm: Orm): Promise<number> {
  const search = new SearchRepository(orm, horizonOf(orm))
  const pool = poolOf(orm.em)
  for (let indexed = 0; ; await delay(20)) {
    indexed += (await search.fill(50_000)).indexed
    const { rows } = await pool.query(IS_BEHIND)
    if (!rows[0].isBehind) return indexed
  }
}
