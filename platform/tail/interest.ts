/** A row with its place in the order of commit. */
export interface Placed {
  position: number
}

/** Rows behind a position, in their order. */
export interface Part<Row> {
  rows: readonly Row[]
  /** Everything up to here was read. */
  next: number
  /** `more` can be read at once, `soon` when an older transaction has ended, `nothing` is left. */
  rest: 'more' | 'soon' | 'nothing'
}

/** Selects the rows that a subscriber wants. */
export interface Interest<Row> {
  /** Equal for equal interests: rows are selected once for all of them. */
  key: string
  /** Those of the rows that match, in their order. */
  select(rows: readonly Row[]): readonly Row[] | Promise<readonly Row[]>
  /** The next rows that match, from the database. */
  read(after: number): Promise<Part<Row>>
}

export interface TailSource<Row, Item> {
  /** Behind everything that was committed up to now. */
  end(): Promise<number>
  /** The next rows of all. */
  read(after: number): Promise<Part<Row>>
  /** Makes the item that a subscriber gets for a row. */
  itemOf(row: Row): Promise<Item>
  /** Rows that become items together: fewer where items are large. */
  atOnce?: number
  /** Reports that there may be more to read. @returns ends that */
  listen(wake: () => void): () => void
  /** Until the next look where nothing reports. */
  lookAgainMs: number
  /** Called when the last subscriber has left. */
  onIdle?(): void
}

/** The followers of one interest, and the rows that they may not have taken yet. */
export interface Group<Row extends Placed> {
  interest: Interest<Row>
  /** `rows` holds everything that matches behind this position; undefined until the tail knows where it begins. */
  since: number | undefined
  rows: Row[]
  followers: Set<{ wake(): void; return(): unknown }>
  failure: { error: unknown } | undefined
}
