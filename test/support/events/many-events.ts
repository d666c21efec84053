import type { MikroORM } from '@mikro-orm/postgresql'
import type { Pool } from 'pg'
import { poolOf, startOrm } from '../../../platform/database/orm.ts'
import { migrations } from '../../../subgraphs/events/migrations/index.ts'
import { entities } from '../../../subgraphs/events/tables/entities.ts'
import { PartitionRepository } from '../../../subgraphs/events/tables/partition.repository.ts'
import { createMigratedDatabase } from '../database.ts'
import { indexAll } from './index-all.ts'

export interface ManyEvents {
  orm: MikroORM
  pool: Pool
  stop(): Promise<void>
}

/** 20 000 events and five occurrences of each, indexed, on a database of their own. */
export async function fillManyEvents(): Promise<ManyEvents> {
  const database = await createMigratedDatabase()
  const orm = await startOrm({ url: database.url, schema: 'events', entities, migrations })
  const pool = poolOf(orm.em)
  await new PartitionRepository(orm).ensure(new Date())
  await pool.query(
    `insert into events.event select gen_random_uuid(), i::text, '[]', '[]', 'title ' || i, 'message ' || i,
       case when i % 1000 = 0 then 'CRITICAL' else 'INFO' end, case when i % 1000 = 1 then 'OPEN' else 'OK' end,
       'host' || (i % 5000), 'host', 'name' || i, null, null, jsonb_build_object('key', i),
       jsonb_build_array(case when i % 1000 = 2 then 'rare' when i < 500 then 'early' else 'common' end),
       case when i % 1000 = 3 then 'rare' when i % 10 = 5 then 'tenth' end,
       date_trunc('second', now()) - i * interval '1 second', now() - i * interval '1 second', now(), case when i % 1000 = 4 then 500 else 5 end, null
     from generate_series(1, 20000) as i`,
  )
  await pool.query(
    `insert into events.raw_event (event_id, is_new, title, message, severity, status, source_ref, source_type, source_name,
       properties, tags, event_class, occurred_at, received_at)
     select id, n = 1, title, message, severity, status, source_ref, source_type, source_name, properties, tags, event_class,
       first_seen_at, now()
     from events.event, generate_series(1, 5) as n`,
  )
  await indexAll(orm)
  await pool.query(
    `insert into events.event_minute select distinct event_id, date_trunc('minute', received_at), 5 from events.raw_event`,
  )
  // As autovacuum does: until then, what GIN indexes have not sorted in yet makes them dear.
  await pool.query('vacuum analyze')
  return {
    orm,
    pool,
    async stop() {
      await orm.close()
      await database.drop()
    },
  }
}
