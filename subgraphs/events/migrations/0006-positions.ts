import { Migration } from '@mikro-orm/migrations'
import { positionSql } from '../../../platform/position/position-sql.ts'

/**
 * Raw events are in the order of their ids, and transaction ids of the cluster go. What is stored has ids, so no row is
 * written again; indexes are made anew.
 */
export class Positions extends Migration {
  override up(): void {
    this.addSql('select pg_advisory_xact_lock(727403)') // no other process indexes meanwhile
    this.addSql('lock table events.raw_event, events.raw_search, events.raw_number')
    // Positions of another cluster may have kept raw events out of the index: these are looked for, too.
    this.addSql(`
      update events.search_position set id = coalesce(
        (select min(raw.id) - 1 from events.raw_event as raw where not exists (
          select from events.raw_search as search
          where (search.received_at, search.xact, search.id) = (raw.received_at, raw.xact, raw.id))),
        (select last_value - (not is_called)::int from events.raw_event_id_seq))`)
    for (const table of ['raw_event', 'raw_search', 'raw_number', 'search_position'])
      this.addSql(`alter table events.${table} drop column xact`)
    this.addSql('alter type events.raw_key drop attribute xact')
    this.addSql('create index raw_event_id_index on events.raw_event (id)')
    this.addSql('alter table events.raw_search add primary key (received_at, id)')
    this.addSql('alter table events.raw_number add primary key (key, value, received_at, id)')
    this.addSql('alter sequence events.raw_event_id_seq owned by events.raw_event.id')
    for (const statement of positionSql({
      schema: 'events',
      table: 'raw_event',
      sequence: 'raw_event_id_seq',
      lockSpace: 0x4101,
    }))
      this.addSql(statement)
  }
}
