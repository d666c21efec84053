import { Migration } from '@mikro-orm/migrations'

/** What begins a source's reference can be looked up: there are too many of them for an index on three letters. Of a longer one a B-tree has no room for the rest. */
export class SearchRef extends Migration {
  override up(): void {
    for (const table of ['event_search', 'raw_search'])
      this.addSql(
        `create index ${table}_ref_index on events.${table} using btree (left(content ->> 'ref', 200) text_pattern_ops)`,
      )
  }
}
