import pg from 'pg'

/** Settings that decide the text of a value, and limits that are meant for requests. */
export const SESSION: readonly string[] = [
  `set local timezone = 'UTC'`,
  `set local datestyle = 'ISO'`,
  `set local intervalstyle = 'postgres'`,
  'set local extra_float_digits = 1',
  'set local statement_timeout = 0',
  'set local lock_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
  `set local search_path = ''`,
]

/** The name of a table, an index or a sequence as statements take it. */
export const quoted = ({ schema, name }: { schema: string; name: string }): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
