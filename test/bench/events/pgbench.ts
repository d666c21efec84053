import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startedMs } from '../processor-time.ts'
import { format, print } from '../samples.ts'

/** Numbers of clients, of which the best counts. */
const CLIENTS = [1, 2, 4]
const SECONDS = 5
const ROWS = 100

export interface Limit {
  clients: number
  /** Events per second. */
  rate: number
}

/**
 * Rate of the database itself: `ROWS` events in a statement, into the tables of the product with the rows that it
 * writes for them.
 * @param url a database with the product's tables @param hot whether every statement writes the same events
 * @returns the best of some numbers of clients
 */
export async function pgbench(
  url: string,
  hot: boolean,
  numbers: readonly number[] = CLIENTS,
): Promise<Limit> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-pgbench-'))
  const script = join(folder, 'events.sql')
  await writeFile(script, statement(hot))
  const limits: Limit[] = []
  try {
    for (const clients of numbers) {
      const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(SECONDS)]
      const before = await rawEvents(url)
      const used = await startedMs()
      const { stdout } = await promisify(execFile)('pgbench', [...args, '-f', script, url])
      const us = ((await startedMs()) - used) * 1_000
      const transactions = Number(/actually processed: (\d+)/.exec(stdout)?.[1])
      const stored = (await rawEvents(url)) - before
      if (stored !== transactions * ROWS) throw new Error(`pgbench stored ${stored} events`)
      const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]) * ROWS
      limits.push({ clients, rate })
      print(
        `  pgbench ${args.join(' ')}: ${Math.round(rate)} events/s, ${format(us / stored)} µs of processor time each`,
      )
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return limits.reduce((best, limit) => (limit.rate > best.rate ? limit : best))
}

export const pgbenchVersion = (): string =>
  execFileSync('pgbench', ['--version'], { encoding: 'utf8' }).trim()

async function rawEvents(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query('select count(*)::int as count from events.raw_event')
  await client.end()
  return rows[0].count
}

/** One statement, as a program would write that does nothing else. Events in order of id: nobody waits in a circle. */
const statement = (hot: boolean) => `
\\set seed random(1, 1000000000000)
with item as (
  select n, md5(${hot ? "'hot '" : "(:seed)::text || ' '"} || n) as hash from generate_series(1, ${ROWS}) as n
), event as (
  insert into events.event as known (id, fingerprint, fingerprint_fields, fingerprint_values, title, message, severity,
    status, source_ref, source_type, properties, tags, first_seen_at, last_seen_at, last_updated_at, times_seen)
  select hash::uuid, hash || hash, '["@title"]', jsonb_build_array(jsonb_build_array('@title', 'Disk ' || n || ' is filling up')),
    'Disk ' || n || ' is filling up', '91 % used', 'WARN', 'OPEN', 'disk-' || n, 'disk',
    '{"mount":"/var","percent":91}', '["storage"]', now(), now(), now(), 1
  from item order by hash
  on conflict (id) do update set title = excluded.title, message = excluded.message, severity = excluded.severity,
    status = excluded.status, properties = excluded.properties, tags = excluded.tags,
    last_seen_at = excluded.last_seen_at, last_updated_at = excluded.last_updated_at, times_seen = known.times_seen + 1
  returning id, times_seen = 1 as is_new, title, source_ref
), minutes as (
  insert into events.event_minute as counted (event_id, minute, occurrences)
  select id, date_trunc('minute', now()), 1 from event order by id
  on conflict (event_id, minute) do update set occurrences = counted.occurrences + 1
)
insert into events.raw_event (event_id, is_new, title, message, severity, status, source_ref, source_type, properties,
  tags, occurred_at, received_at)
select id, is_new, title, '91 % used', 'WARN', 'OPEN', source_ref, 'disk', '{"mount":"/var","percent":91}',
  '["storage"]', now(), now()
from event;
`
