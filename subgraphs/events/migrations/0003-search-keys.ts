import { Migration } from '@mikro-orm/migrations'

/** Events can also be looked up by the names of their properties: everything is indexed anew, behind the stream. */
export class SearchKeys extends Migration {
  override up(): void {
    this.addSql('truncate events.event_search, events.raw_search')
    this.addSql(`update events.search_position set xact = '0', id = 0`)
  }
}
