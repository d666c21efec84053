import pg from 'pg'

/** Knowledge of a caller about something that it sent: `unknown` where the answer was lost. */
export type Known = 'accepted' | 'refused' | 'unknown'

/** A kind of request during a drill. */
interface Requests {
  succeeded: number
  /** By status or cause. */
  failed: Map<string, number>
  longestMs: number
  lastFailureAt: number
}

/** Observations of the callers of one drill; at the end it is held against the store. */
export class Books {
  /** By title of the event: each is sent with a title of its own. */
  readonly events = new Map<string, Known>()
  /** Execution ids by `Idempotency-Key`. */
  readonly executions = new Map<string, string>()
  /** Execution ids that a callback named, and how often. */
  readonly callbacks = new Map<string, number>()
  /** Execution ids whose callback has a time that receivers refuse. */
  readonly misdated: string[] = []
  /** Further findings of a fault, in lines. */
  readonly wrong: string[] = []
  /** Number of arrivals of each title, for each subscriber. */
  readonly arrivals: Map<string, number>[] = []
  readonly requests = new Map<string, Requests>()

  /** @param failure status or cause; absent for success */
  count(kind: string, tookMs: number, failure?: string): void {
    const counted = this.requests.get(kind) ?? {
      succeeded: 0,
      failed: new Map<string, number>(),
      longestMs: 0,
      lastFailureAt: 0,
    }
    this.requests.set(kind, counted)
    if (failure === undefined) {
      counted.succeeded++
      counted.longestMs = Math.max(counted.longestMs, tookMs)
    } else {
      counted.failed.set(failure, (counted.failed.get(failure) ?? 0) + 1)
      counted.lastFailureAt = performance.now()
    }
  }

  titles(known: Known): string[] {
    return [...this.events].filter(([, each]) => each === known).map(([title]) => title)
  }

  /** In words, by cause. */
  failuresOf(kind: string): string {
    const failed = [...(this.requests.get(kind)?.failed ?? [])]
    return failed.map(([cause, count]) => `${count} × ${cause}`).join(', ') || 'none'
  }

  /** Errors that no fault excuses: the product did not expect them. */
  internalErrors(): string[] {
    return [...this.requests].flatMap(([kind, { failed }]) =>
      [...failed]
        .filter(([cause]) => cause.includes('INTERNAL_SERVER_ERROR'))
        .map(([cause, count]) => `${count} ${kind} got ${cause}`),
    )
  }

  allFailures(): string {
    const kinds = [...this.requests.keys()]
    return kinds.map((kind) => `${kind} ${this.failuresOf(kind)}`).join('; ')
  }

  failures(): number {
    const counts = [...this.requests.values()].flatMap(({ failed }) => [...failed.values()])
    return counts.reduce((sum, count) => sum + count, 0)
  }
}

/** Differences, in lines; none when the books balance. @param prefix of all titles of this drill */
export async function differences(
  books: Books,
  { url, prefix }: { url: string; prefix: string },
): Promise<string[]> {
  const store = new pg.Client({ connectionString: url })
  await store.connect()
  try {
    return [
      ...books.wrong,
      ...(await eventDifferences(books, store, prefix)),
      ...(await executionDifferences(books, store, prefix)),
      ...arrivalDifferences(books),
    ]
  } finally {
    await store.end()
  }
}

async function eventDifferences(
  { events }: Books,
  store: pg.Client,
  prefix: string,
): Promise<string[]> {
  const { rows } = await store.query<{ title: string; count: number; seen: number }>(
    `select r.title, count(*)::int as count, max(e.times_seen)::int as seen
     from events.raw_event r join events.event e on e.id = r.event_id
     where r.title like $1 group by r.title`,
    [`${prefix}%`],
  )
  const stored = new Map(rows.map((row) => [row.title, row]))
  const of = (known: Known) => [...events].filter(([, each]) => each === known)
  return [
    linesOf(
      'acknowledged events are lost',
      of('accepted').filter(([title]) => !stored.has(title)),
    ),
    linesOf(
      'refused events are stored',
      of('refused').filter(([title]) => stored.has(title)),
    ),
    linesOf(
      'events are stored more than once',
      rows.filter(({ count }) => count > 1),
    ),
    linesOf(
      'events count other than their occurrences',
      rows.filter(({ count, seen }) => count !== seen),
    ),
    linesOf(
      'events were never sent',
      rows.filter(({ title }) => !events.has(title)),
    ),
  ].flat()
}

async function executionDifferences(
  { executions, callbacks, misdated }: Books,
  store: pg.Client,
  prefix: string,
): Promise<string[]> {
  const { rows } = await store.query<{ id: string; key: string; ended: boolean }>(
    `select id::text, labels->>'drill' as key, ended is not null as ended
     from test_execution.execution where labels->>'drill' like $1`,
    [`${prefix}%`],
  )
  const ids = new Set(rows.map(({ id }) => id))
  const keys = rows.map(({ key }) => key)
  const accepted = [...executions.values()]
  return [
    linesOf(
      'acknowledged executions are lost',
      accepted.filter((id) => !ids.has(id)),
    ),
    linesOf(
      'executions never ended',
      rows.filter(({ ended }) => !ended),
    ),
    linesOf(
      'executions ran twice',
      keys.filter((key, at) => keys.indexOf(key) !== at),
    ),
    linesOf(
      'callbacks are missing',
      accepted.filter((id) => !callbacks.has(id)),
    ),
    linesOf('callbacks are signed with a wrong time', misdated),
  ].flat()
}

const arrivalDifferences = ({ arrivals, events }: Books): string[] => {
  const accepted = [...events].filter(([, known]) => known === 'accepted')
  return arrivals.flatMap((seen, at) => [
    ...linesOf(
      `events did not reach subscriber ${at + 1}`,
      accepted.filter(([title]) => !seen.has(title)),
    ),
    ...linesOf(
      `events reached subscriber ${at + 1} twice`,
      [...seen].filter(([, count]) => count > 1),
    ),
  ])
}

const linesOf = (what: string, found: readonly unknown[]): string[] =>
  found.length === 0 ? [] : [`${found.length} ${what}, such as ${JSON.stringify(found[0])}`]
