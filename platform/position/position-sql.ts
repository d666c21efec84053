/**
 * Positions: numbers of rows in an order that readers can follow, whichever transaction commits first. They come from a
 * sequence, so they mean the same after dump and restore and on a promoted replica.
 *
 * A writer holds a shared advisory lock named by the sequence's value, taken before its first number: a trigger takes it,
 * or the function that draws the number, so no statement can forget it. Its numbers are greater than that value. PostgreSQL releases the lock after the commit
 * is visible, and when the session dies.
 *
 * A reader asks for the sequence's value, then for the smallest lock that is held, then, in a statement of its own, for
 * rows up to the lesser of both, the horizon. No row can appear there later: a writer whose lock it saw draws greater
 * numbers than the lock's name; one that had ended before is visible; one that took its lock after the look drew its
 * numbers after the sequence was read, so they are greater than its value. Each step needs the one before it, so the
 * function below runs them as statements of their own.
 *
 * Requirements: the sequence caches one value, rows are inserted into the table itself and not into a partition, and
 * readers ask the primary, as a replica shows no locks.
 */
export interface Positioned {
  schema: string
  table: string
  sequence: string
  /** Upper 16 bits of the locks' names; one for each sequence that may be in the same database. */
  lockSpace: number
}

/** Lower bits of a lock's name: the sequence's value. */
const VALUE_BITS = 48

/** Statements of a migration that makes a table positioned; a change here needs a migration of its own. */
export function positionSql({ schema, table, sequence, lockSpace }: Positioned): string[] {
  const firstLock = `(${lockSpace}::bigint << ${VALUE_BITS})`
  const value = 'last_value - (not is_called)::int'
  return [
    `alter sequence ${schema}.${sequence} maxvalue ${2 ** VALUE_BITS - 1} cache 1`,
    `create function ${schema}.hold_position() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(${firstLock} + ${value}) from ${schema}.${sequence};
        return null;
      end $$`,
    holdPosition(schema, table).expression,
    `create function ${schema}.horizon(out complete bigint, out last bigint, out writer int) language plpgsql as $$
      begin
        select ${value} into last from ${schema}.${sequence};
        select held.value, held.pid into complete, writer from (
          select ((classid::bigint << 32) | objid::bigint) - ${firstLock} as value, pid from pg_locks
          where locktype = 'advisory' and objsubid = 1 and classid::bigint >> ${VALUE_BITS - 32} = ${lockSpace}
            and database = (select oid from pg_database where datname = current_database())
        ) as held where held.value < last order by held.value limit 1;
        complete := coalesce(complete, last);
      end $$`,
  ]
}

/** A function for rows of other tables in the same order: it takes the lock, then the number. */
export const nextPositionSql = ({
  schema,
  sequence,
  lockSpace,
}: Omit<Positioned, 'table'>): string => `
  create function ${schema}.next_position() returns bigint language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared((${lockSpace}::bigint << ${VALUE_BITS}) + last_value - (not is_called)::int)
        from ${schema}.${sequence};
      return nextval('${schema}.${sequence}');
    end $$`

/** The trigger, as an entity declares it. */
export const holdPosition = (schema: string, table: string) => ({
  name: 'hold_position',
  timing: 'before' as const,
  events: ['insert' as const],
  expression: `create trigger hold_position before insert on ${schema}.${table}
    for each statement execute function ${schema}.hold_position()`,
})
