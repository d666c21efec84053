import type { AnyEntity, EntityManager, EntitySchema } from '@mikro-orm/postgresql'

/** An entity as a query returns it: every column is there, an empty one as null. */
export type Row<Entity> = {
  [Column in keyof Entity as Column extends string ? Column : never]-?: Exclude<
    Entity[Column],
    undefined
  >
}

/**
 * The row of a statement of ours as the ORM would read it, in plain values that it does not manage: `em.map` writes each
 * JSON column to text twice, which held the event loop for longer than parsing a large result.
 * @param columns under their names in the database; those of no property are left out
 */
export function toRow<Entity extends AnyEntity>(
  em: EntityManager,
  entity: EntitySchema<Entity>,
  columns: object,
): Row<Entity> {
  const metadata = em.getMetadata(entity)
  const mapped: Record<string, unknown> = em.getDriver().mapResult(columns, metadata) ?? {}
  const row: Record<string, unknown> = {}
  for (const { name, customType } of metadata.props) {
    const value = mapped[name]
    if (value === undefined) continue
    row[name] =
      customType && value !== null ? customType.convertToJSValue(value, em.getPlatform()) : value
  }
  return row as Row<Entity> // what the entity's columns hold
}
