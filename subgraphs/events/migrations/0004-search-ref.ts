import { Migration } from '@mikro-orm/migrations'

/** Index on the beginning of a source's reference: there are too many of them for an index on three letters, and a B-tree has no room for all of a long one. */
export class SearchRef extends Migration {
  override up(): void {
    for (const table of ['event_search', 'raw_search'])
      this.addSql(
        `create index ${table}_ref_index on events.${table} using btree (left(content ->> 'ref', 200) text_pattern_ops)`,
      )
  }
}
