import pg from 'pg'
import { ProcessMetrics } from '../../../platform/metrics/process-metrics.ts'
import { runEvents } from '../../support/events/running-events.ts'

/** The lock under which events are indexed. */
const SEARCH_LOCK = 727_403

test('the metric of the lag is what is not indexed, at each scrape', async () => {
  const metrics = new ProcessMetrics()
  const events = await runEvents({}, undefined, metrics)
  const other = new pg.Client(events.url)
  await other.connect()
  try {
    await other.query('select pg_advisory_lock($1)', [SEARCH_LOCK])
    const lag = async () => {
      const text = await metrics.registry.metrics()
      return Number(/^assay_event_index_lag_events (\d+)$/m.exec(text)?.[1])
    }
    expect(await lag()).toBe(0)
    for (const expected of [30, 60]) {
      await events.ingest(Array.from({ length: 30 }, (_, nth) => ({ title: `${expected} ${nth}` })))
      expect(await lag()).toBe(expected)
    }
  } finally {
    await other.end()
    await events.stop()
  }
})
