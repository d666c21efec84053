import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { serverUrl } from '../../support/database.ts'
import { type RunningExecutions, runExecutions } from '../../support/running-executions.ts'

let executions: RunningExecutions
beforeAll(async () => {
  executions = await runExecutions()
})
afterAll(() => executions.stop())

const ONE =
  'subscription ($id: ID!) { executionUpdated(id: $id, after: "") { execution { state } } }'
const ALL = 'subscription { executionStateChanged(after: "") { execution { id state } } }'
const AWAY_MS = 1_500

/** Ends all sessions for as long as readers need to look again several times. */
async function endSessions(): Promise<void> {
  const name = new URL(executions.databaseUrl).pathname.slice(1)
  const client = new pg.Client({ connectionString: serverUrl() })
  await client.connect()
  for (const until = Date.now() + AWAY_MS; Date.now() < until; await delay(10))
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    )
  await client.end()
}

test('those who watch executions ride through a lost database, and miss nothing', async () => {
  const id = await executions.execute(null, 'tax-table')
  const one = executions.watch(ONE, { id })
  const all = executions.watch(ALL)
  expect((await one.next()).value?.executionUpdated.execution.state).toBe('RUNNING')
  expect((await all.next()).value?.executionStateChanged.execution).toEqual({
    id,
    state: 'RUNNING',
  })
  const updated = one.next()
  const changed = all.next()
  await endSessions()
  await executions.startWorker()
  expect((await updated).value?.executionUpdated.execution.state).toBe('RUNNING')
  for (let state = ''; state !== 'FAILED'; )
    state = (await one.next()).value?.executionUpdated.execution.state
  expect((await changed).value?.executionStateChanged.execution).toEqual({ id, state: 'FAILED' })
  await all.return()
})
