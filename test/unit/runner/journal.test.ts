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

test('a step that runs says what it waits for, masked, until it ends', () => {
  const said: (string | null)[] = []
  const hides = { text: (text: string) => text.replace('secret', '***') } as typeof mask
  const journal = new Journal(hides, log, count, (update) => {
    if (update.kind === 'STEP') said.push(`${update.step.state} ${update.step.message}`)
  })
  const location = { id: 'a', within: ['b'], name: 'A', kind: 'http', datasetRow: null }
  const end = journal.begin(location)
  journal.waits(location, '5 s before retry 1 of 2: secret')
  end('COMPLETED', '')
  expect(said).toEqual(['RUNNING null', 'RUNNING 5 s before retry 1 of 2: ***', 'COMPLETED '])
})
