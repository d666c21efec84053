import type { ClientBase } from 'pg'

/** A sealed text, or several by their names. */
export type Sealed = string | Readonly<Record<string, string>>

/** A column that holds sealed texts. */
export interface SealedColumn {
  /** For people. */
  name: string
  /** Schema of its table; that of test execution if absent. */
  schema?: string
  table: string
  /** The columns of its primary key in order, with their types: rows are found by its index. */
  key: Readonly<Record<string, string>>
  /** SQL: the sealed values, as jsonb; null where there are none. */
  read: string
  /** SQL: the assignment that replaces it by $1. */
  write: string
  /** Addresses from before migration 008 lie there in clear. */
  mayBeClear?: true
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    name: 'secrets of environments',
    table: 'artifact',
    key: { id_space: 'varchar', id: 'varchar' },
    read: `nullif(sealed, '{}')`,
    write: 'sealed = $1::jsonb',
  },
  {
    name: 'addresses of channels for notifications',
    schema: 'events',
    table: 'forwarded_artifact',
    key: { kind: 'text', id: 'text' },
    read: `nullif(sealed, '{}')`,
    write: 'sealed = $1::jsonb',
  },
  {
    name: 'secrets in running executions',
    table: 'execution',
    key: { id: 'uuid' },
    read: `nullif(snapshot #> '{environment,sealed}', '{}')`,
    write: `snapshot = jsonb_set(snapshot, '{environment,sealed}', $1::jsonb)`,
  },
  {
    name: 'secrets in scenarios of running suites',
    table: 'suite_member',
    key: { suite_id: 'uuid', position: 'integer' },
    read: `nullif(snapshot #> '{environment,sealed}', '{}')`,
    write: `snapshot = jsonb_set(snapshot, '{environment,sealed}', $1::jsonb)`,
  },
  {
    name: 'host credentials of running executions',
    table: 'execution',
    key: { id: 'uuid' },
    read: 'to_jsonb(credentials)',
    write: `credentials = $1::jsonb #>> '{}'`,
  },
  {
    name: 'captures of the setups of running suites',
    table: 'execution',
    key: { id: 'uuid' },
    read: 'to_jsonb(captures)',
    write: `captures = $1::jsonb #>> '{}'`,
  },
  {
    name: 'callback addresses of executions',
    table: 'execution',
    key: { id: 'uuid' },
    read: `callback -> 'sealedUrl'`,
    write: `callback = jsonb_set(callback, '{sealedUrl}', $1::jsonb)`,
    mayBeClear: true,
  },
  {
    name: 'callback addresses of deliveries',
    table: 'callback_delivery',
    key: { execution_id: 'uuid', id: 'uuid' },
    read: 'to_jsonb(sealed_url)',
    write: `sealed_url = $1::jsonb #>> '{}'`,
    mayBeClear: true,
  },
]

export interface SealedRow {
  key: string[]
  sealed: Sealed
}

const BATCH = 500

const nameOf = ({
  schema = 'test_execution',
  table,
}: Pick<SealedColumn, 'schema' | 'table'>): string => `${schema}.${table}`

/** All that is sealed in one column, in the order of the keys. */
export async function* sealedRows(
  client: ClientBase,
  column: SealedColumn,
): AsyncGenerator<SealedRow> {
  const { key, read } = column
  const table = nameOf(column)
  const columns = Object.keys(key).join(', ')
  const texts = Object.keys(key).map((column) => `${column}::text`)
  const marks = Object.values(key).map((type, at) => `$${at + 1}::${type}`)
  for (let last: string[] | null = null; ; ) {
    const behind: string = last ? `and (${columns}) > (${marks.join(', ')})` : ''
    const { rows }: { rows: SealedRow[] } = await client.query(
      `select array[${texts.join(', ')}] as key, ${read} as sealed from ${table}
       where ${read} is not null ${behind} order by ${columns} limit ${BATCH}`,
      last ?? [],
    )
    yield* rows
    last = rows.at(-1)?.key ?? null
    if (rows.length < BATCH) return
  }
}

/** Replaces the sealed values of a row, unless the product has changed it meanwhile. @returns whether it did */
export async function replaceSealed(
  client: ClientBase,
  { key, read, write, ...table }: SealedColumn,
  row: SealedRow,
  sealed: Sealed,
): Promise<boolean> {
  const same = Object.entries(key).map(([column, type], at) => `${column} = $${at + 3}::${type}`)
  const { rowCount } = await client.query(
    `update ${nameOf(table)} set ${write} where ${same.join(' and ')} and ${read} = $2::jsonb`,
    [JSON.stringify(sealed), JSON.stringify(row.sealed), ...row.key],
  )
  return rowCount === 1
}
