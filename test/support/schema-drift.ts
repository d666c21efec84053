import type { MikroORM } from '@mikro-orm/postgresql'

/** Tables of the schema that the migrations made: no partitions, and not the migrator's own. */
const MADE = `select relname from pg_class
  where relnamespace = ?::regnamespace and relkind in ('r', 'p') and not relispartition
    and relname not like 'mikro_orm_migrations%'`

/** Differences between entities and migrations: statements that would fix them, and tables without an entity. */
export async function schemaDrift(orm: MikroORM): Promise<string[]> {
  // Dropping tables is left out, because partitions belong to no entity.
  const statements = await orm.schema.getUpdateSchemaSQL({ safe: false, dropTables: false })
  const known = [...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName)
  const made = await orm.em.getConnection().execute(MADE, [orm.config.get('schema')])
  return [
    ...statements.split('\n').filter(Boolean),
    ...made.map(({ relname }) => relname).filter((table) => !known.includes(table)),
  ]
}
