import pg from 'pg'
import type { Assay } from '../assay.ts'

/** Events of one call. */
const CALL = 10_000

/** Sends events. @throws unless all are accepted */
export async function sendEvents(
  { url }: Pick<Assay, 'url'>,
  events: readonly object[],
): Promise<void> {
  for (let from = 0; from < events.length; from += CALL) {
    const response = await fetch(`${url}/api/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(events.slice(from, from + CALL)),
    })
    if (response.status !== 202)
      throw new Error(`Events got ${response.status}: ${await response.text()}`)
  }
}

/** Open events, each with a title of its own. */
export const openEvents = (count: number): object[] =>
  Array.from({ length: count }, (_none, i) => ({ title: `Event ${i}`, status: 'OPEN' }))

export interface Copies {
  /** Id of an execution that ended. */
  of: string
  count: number
  /** Time between the starts of two copies, ms. Each begins before the one that is copied. */
  apartMs: number
  /** SQL of further columns of copy `i`, by their names. */
  columns: Readonly<Record<string, string>>
}

/** Copies the row of an execution, without its updates. */
export const copyExecution = (
  url: string,
  { of, count, apartMs, columns }: Copies,
): Promise<void> =>
  inDatabase(url, async (client) => {
    const own = Object.entries(columns).map(([name, sql]) => `'${name}', ${sql}`)
    const earlier = `i * ${apartMs} * interval '1 ms'`
    await client.query(
      `insert into test_execution.execution
      select (jsonb_populate_record(e, jsonb_build_object(
        'id', (lpad(to_hex((extract(epoch from e.started) * 1000)::bigint - i::bigint * ${apartMs}), 12, '0')
          || '70008000' || lpad(to_hex(i), 12, '0'))::uuid,
        'started', e.started - ${earlier},
        'ended', e.ended - ${earlier},
        ${own.join(', ')}))).*
      from test_execution.execution e, generate_series(1, ${count}) i where e.id = $1`,
      [of],
    )
    await client.query('analyze test_execution.execution')
  })

/** Runs statements in a database of its own connection. */
export async function inDatabase(
  url: string,
  act: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await act(client)
  } finally {
    await client.end()
  }
}
