import { ProcessMetrics } from '../../../platform/metrics/process-metrics.ts'
import { followDatabaseClock } from '../../../platform/process/clock.ts'
import { Journal } from '../../../runner/run/journal.ts'

const SIXTY_YEARS_MS = 60 * 365 * 86_400_000
const nothing = () => {}

/** Only what a journal uses. */
const mask = { text: (text: string) => text } as ConstructorParameters<typeof Journal>[0]
const log = { note: nothing, flush: nothing } as unknown as ConstructorParameters<typeof Journal>[1]
const count = { noteSteps: nothing, noteFailure: nothing, noteEvidence: () => true }

test('a clock that is set while a step runs does not change how long the step took', async () => {
  const journal = new Journal(mask, log, count, nothing)
  const end = journal.begin({ id: 'a', within: [], name: 'A', kind: 'wait', datasetRow: null })
  const stop = await followDatabaseClock({
    databaseTime: async () => new Date(Date.now() + SIXTY_YEARS_MS),
    log: { warn: nothing, info: nothing },
    metrics: new ProcessMetrics(),
  })
  try {
    end('COMPLETED', '')
  } finally {
    stop()
  }
  const [{ durationMs } = { durationMs: null }] = journal.results()
  expect(durationMs).toBeGreaterThanOrEqual(0)
  expect(durationMs).toBeLessThan(2 ** 31)
})
