import { Migration } from '@mikro-orm/migrations'
import { nextPositionSql } from '../../../platform/position/position-sql.ts'

/**
 * Changes of status by people stand in the order of raw events. Those by occurrences have no position of their own: the
 * raw event has it, and an ingestion pays for nothing more.
 */
export class EventChanges extends Migration {
  override up(): void {
    this.addSql('alter table events.status_change add column position bigint')
    this.addSql(
      'create index status_change_position_index on events.status_change (position) where position is not null',
    )
    this.addSql(
      nextPositionSql({ schema: 'events', sequence: 'raw_event_id_seq', lockSpace: 0x4101 }),
    )
  }
}
