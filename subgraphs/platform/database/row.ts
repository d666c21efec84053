/** An entity as a query returns it: every column is there, an empty one as null. */
export type Row<Entity> = {
  [Column in keyof Entity as Column extends string ? Column : never]-?: Exclude<
    Entity[Column],
    undefined
  >
}
