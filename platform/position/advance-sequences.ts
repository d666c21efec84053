/** A column with numbers of a sequence that another column owns. */
export interface Numbered {
  sequence: string
  table: string
  column: string
}

/**
 * Moves each sequence that a column of the schema owns past the greatest value of it, and of the `others` that exist. Only a logical replica needs it
 * that was promoted: rows are replicated and sequences are not, so a replica's would draw the numbers of stored rows.
 * Runs under the lock of migrations, before anything is written.
 */
export const advanceSequencesSql = (schema: string, others: readonly Numbered[] = []): string => `
  do $$ declare owned record; begin
    for owned in
      select sequence.oid::regclass as sequence, refobjid::regclass as owner, attname as name
      from pg_class as sequence
      join pg_depend on classid = 'pg_class'::regclass and objid = sequence.oid
        and refclassid = 'pg_class'::regclass and deptype in ('a', 'i')
      join pg_attribute on attrelid = refobjid and attnum = refobjsubid
      join pg_namespace on pg_namespace.oid = relnamespace
      where relkind = 'S' and nspname = '${schema}'
${others.map((other) => ofOther(schema, other)).join('')}    loop
      execute format(
        'select setval(%L, greatest) from (select max(%I) as greatest from %s) as stored, %s
         where greatest > last_value - (not is_called)::int',
        owned.sequence, owned.name, owned.owner, owned.sequence);
    end loop;
  end $$`

const ofOther = (schema: string, { sequence, table, column }: Numbered): string => `
      union all
      select to_regclass('${schema}.${sequence}'), attrelid::regclass, attname from pg_attribute
      where attrelid = to_regclass('${schema}.${table}') and attname = '${column}'`
