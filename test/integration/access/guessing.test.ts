import type { Identity } from '../../../platform/access/identity.ts'
import { startJobs } from '../../../platform/jobs/jobs.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { Releasers } from '../../../platform/process/releasers.ts'
import { startPostgresPubSub } from '../../../platform/pub-sub/postgres.ts'
import { executable } from '../../../platform/subgraph/executable.ts'
import { startAccounts } from '../../../subgraphs/accounts/index.ts'
import { createDatabase } from '../../support/database.ts'

const SESSIONS = { idleMs: 60_000, lifetimeMs: 60_000 }

const OWNER = { email: 'root@example.com', password: 'the-right-password' }

const releasers = new Releasers()
type Identify = (password: string, address: string, isRecheck?: boolean) => Promise<string>
let identify: Identify
let start: () => Promise<Identify>
beforeAll(async () => {
  const log = createLogger('silent')
  const { url: databaseUrl, drop } = await createDatabase()
  releasers.defer(drop)
  const pubSub = await startPostgresPubSub(databaseUrl, log)
  releasers.defer(() => pubSub.stop())
  const jobs = await startJobs(databaseUrl, log)
  releasers.defer(() => jobs.stop())
  start = async () => {
    const accounts = await startAccounts(
      { databaseUrl, pubSub, jobs, log },
      { firstAdmin: OWNER, auditRetentionDays: 1, apiTokenDays: 90, sessions: SESSIONS },
    )
    releasers.defer(() => accounts.stop())
    return identifyBy(executable(accounts, log))
  }
  identify = await start()
})
afterAll(() => releasers.release())

const identifyBy =
  (subgraph: ReturnType<typeof executable>): Identify =>
  async (password, address, isRecheck = false) => {
    const { data, errors } = await subgraph.execute(
      {
        document:
          'query ($credential: JSONObject!, $isRecheck: Boolean!) { identify(credential: $credential, isRecheck: $isRecheck) }',
        variables: { credential: { kind: 'basic', user: OWNER.email, password }, isRecheck },
      },
      { caller: { requestId: 'r', user: null, permissions: [], address } },
    )
    const [error] = errors ?? []
    if (error) return String(error.extensions.code)
    return (data?.identify as Identity | null)?.user ?? 'nobody' // as the subgraph answers
  }

test('a right guess from a locked network is refused like a wrong one, also while the owner is signed in', async () => {
  expect(await identify(OWNER.password, '192.0.2.1')).toBe(OWNER.email)
  for (let n = 0; n < 10; n++) expect(await identify(`guess-${n}`, '203.0.113.9')).toBe('nobody')
  expect(await identify('another-guess', '203.0.113.9')).toBe('RATE_LIMITED')
  expect(await identify(OWNER.password, '203.0.113.9')).toBe('RATE_LIMITED')
  expect(await identify(OWNER.password, '192.0.2.1')).toBe(OWNER.email)
})

test('a check of an open stream is not slowed down, and notices another password', async () => {
  for (let n = 0; n < 11; n++) await identify(`guess-${n}`, '192.0.2.1')
  expect(await identify(OWNER.password, '192.0.2.1')).toBe('RATE_LIMITED')
  expect(await identify(OWNER.password, '192.0.2.1', true)).toBe(OWNER.email)
  expect(await identify('not-the-password', '192.0.2.1', true)).toBe('nobody')
})

test('after a restart failures elsewhere still lock no owner out of a known network', async () => {
  const restarted = await start()
  for (let n = 0; n < 100; n++)
    expect(await restarted(`guess-${n}`, `203.0.113.${100 + Math.floor(n / 10)}`)).toBe('nobody')
  expect(await restarted(OWNER.password, '198.51.100.8')).toBe('RATE_LIMITED')
  expect(await restarted(OWNER.password, '192.0.2.1')).toBe(OWNER.email)
})
