import { Migration } from '@mikro-orm/migrations'

/** What begins a source's reference can be looked up: there are too many of them for an index on three letters. */
export class SearchRef extends Migration {
  override up(): void {
    for (const table of ['event_search', 'raw_search'])
      this.addSql(
        `create index ${table}_ref_index on events.${table} using btree ((content ->> 'ref') text_pattern_ops)`,
      )
  }
}
