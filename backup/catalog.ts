import type pg from 'pg'
import { MIGRATIONS_TABLE } from '../platform/database/orm.ts'
import { nameOf, type Sequence, type Table } from './manifest.ts'
import { SCHEMAS } from './schemas.ts'

/** Tables and columns of Assay in a database, read from its catalog, so that new ones come along by themselves. */
export interface Catalog {
  /** In the order of their foreign keys: a table comes behind those that it refers to. */
  tables: Table[]
  sequences: Omit<Sequence, 'value' | 'isCalled'>[]
}

export async function readCatalog(client: pg.ClientBase): Promise<Catalog> {
  const { rows: tables } = await client.query<FoundTable>(TABLES, [SCHEMAS])
  const { rows: references } = await client.query<Reference>(REFERENCES, [SCHEMAS])
  const { rows: sequences } = await client.query<Sequence>(SEQUENCES, [SCHEMAS])
  return { tables: inOrder(tables.map(toTable), references), sequences }
}

interface FoundTable extends Table {
  parent: string | null
  bound: string | null
}

interface Reference {
  from: string
  to: string
}

const TABLES = `
  select space.nspname as schema, class.relname as name, parent.relname as parent,
    pg_get_expr(class.relpartbound, class.oid) as bound,
    array(
      select attname::text from pg_attribute
      where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
    ) as columns
  from pg_class as class join pg_namespace as space on space.oid = class.relnamespace
    left join pg_inherits on inhrelid = class.oid
    left join pg_class as parent on parent.oid = inhparent
  where space.nspname = any ($1) and class.relkind = 'r'
  order by 1, 2`

const REFERENCES = `
  select distinct format('%s.%s', from_space.nspname, from_class.relname) as from,
    format('%s.%s', to_space.nspname, to_class.relname) as to
  from pg_constraint
    join pg_class as from_class on from_class.oid = conrelid
    join pg_namespace as from_space on from_space.oid = from_class.relnamespace
    join pg_class as to_class on to_class.oid = confrelid
    join pg_namespace as to_space on to_space.oid = to_class.relnamespace
  where contype = 'f' and conrelid <> confrelid and from_space.nspname = any ($1)`

const SEQUENCES = `
  select nspname as schema, relname as name
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = any ($1) and relkind = 'S' order by 1, 2`

const toTable = ({ schema, name, columns, parent, bound }: FoundTable): Table => ({
  schema,
  name,
  columns,
  ...(parent !== null && bound !== null && { partition: { of: parent, bound } }),
})

function inOrder(tables: readonly Table[], references: readonly Reference[]): Table[] {
  const ordered = new Set<Table>()
  const visiting = new Set<Table>()
  const visit = (table: Table): void => {
    if (visiting.has(table)) return
    visiting.add(table)
    const wanted = references.filter(({ from }) => from === nameOf(table)).map(({ to }) => to)
    for (const other of tables) if (wanted.includes(nameOf(other))) visit(other)
    ordered.add(table)
  }
  tables.forEach(visit)
  return [...ordered]
}

/** Migrations that have run, by schema. */
export async function readMigrations(
  client: pg.ClientBase,
  tables: readonly Table[],
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { schema } of tables.filter(({ name }) => name === MIGRATIONS_TABLE)) {
    const { rows } = await client.query<{ name: string }>(
      `select name from ${schema}.${MIGRATIONS_TABLE} order by id`,
    )
    found[schema] = rows.map(({ name }) => name)
  }
  return found
}
