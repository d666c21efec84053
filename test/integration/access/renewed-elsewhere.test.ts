import { startJobs } from '../../../platform/jobs/jobs.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { Releasers } from '../../../platform/process/releasers.ts'
import { executable } from '../../../platform/subgraph/executable.ts'
import { startAccounts } from '../../../subgraphs/accounts/index.ts'
import { createDatabase } from '../../support/database.ts'

const STRANGER = { requestId: 'r', user: null, permissions: [] }
const ADA = {
  ...STRANGER,
  user: 'ada',
  subject: 'https://id.example\nu1',
  permissions: ['account:own'],
}
const IDENTITY = { user: 'ada', subject: ADA.subject, permissions: [] }
const GRANT = {
  refreshToken: 'a refresh token',
  claims: { sub: 'u1', user: 'ada', roles: [] },
  renewInMs: 0,
  lastsMs: 0,
}

type Run = (document: string, variables: object, caller?: object) => Promise<unknown>

const releasers = new Releasers()
let [one, other] = [] as unknown as [Run, Run] // set before the tests
beforeAll(async () => {
  const log = createLogger('silent')
  const { url: databaseUrl, drop } = await createDatabase()
  releasers.defer(drop)
  const jobs = await startJobs(databaseUrl, log)
  releasers.defer(() => jobs.stop())
  // Words of one process to the other that never come.
  const pubSub = { publish: async () => {}, subscribe: () => () => {} }
  const start = async (): Promise<Run> => {
    const accounts = await startAccounts(
      { databaseUrl, pubSub: pubSub as never, jobs, log }, // as much of it as accounts use
      {
        firstAdmin: { email: 'root@example.com', password: 'the-first-password' },
        auditRetentionDays: 1,
        apiTokenDays: 90,
        sessions: { idleMs: 3_600_000, lifetimeMs: 100 * 3_600_000 },
      },
    )
    releasers.defer(() => accounts.stop())
    const subgraph = executable(accounts, log)
    return async (document, variables, caller = STRANGER) => {
      const context = { caller } as never // the callers above
      const { data, errors } = await subgraph.execute(
        { document, variables: { ...variables } },
        context,
      )
      if (errors?.[0]) throw errors[0]
      return Object.values(data ?? {})[0]
    }
  }
  one = await start()
  other = await start()
})
afterAll(() => releasers.release())

async function open(): Promise<{ secret: string }> {
  const document =
    'mutation ($grant: JSONObject) { openBrowserSession(browser: "", grant: $grant) }'
  return (await one(document, { grant: GRANT }, ADA)) as { secret: string } // as it answers
}

const claim = (run: Run, variables: { secret: string }) =>
  run('mutation ($secret: String!) { claimSessionRenewal(secret: $secret) }', variables)

const identify = (run: Run, credential: object) =>
  run('query ($credential: JSONObject!) { identify(credential: $credential, isRecheck: true) }', {
    credential: { kind: 'cookie', ...credential },
  })

test('a session that another process has renewed is read anew, before word of that comes', async () => {
  const { secret } = await open()
  expect(await identify(other, { secret })).toMatchObject({ renewal: 'overdue' })
  expect(await claim(one, { secret })).toMatchObject({ state: 'granted' })
  await one(
    'mutation ($secret: String!, $identity: JSONObject!, $grant: JSONObject!) { renewSession(secret: $secret, identity: $identity, grant: $grant) }',
    { secret, identity: IDENTITY, grant: { ...GRANT, renewInMs: 60_000, lastsMs: 60_000 } },
  )
  expect(await claim(other, { secret })).toEqual({ state: 'renewed' })
  const renewed = await identify(other, { secret, isFresh: true })
  expect(renewed).toMatchObject({ user: 'ada' })
  expect(renewed).not.toHaveProperty('renewal')
})

test('a claim that is given back is free for all processes, and one of another stays', async () => {
  const { secret } = await open()
  const { until } = (await claim(one, { secret })) as { until: number } // as it answers
  const release = (run: Run, time: number, refreshToken: string) =>
    run(
      'mutation ($secret: String!, $until: Float!, $refreshToken: String) { releaseSessionRenewal(secret: $secret, until: $until, refreshToken: $refreshToken) }',
      { secret, until: time, refreshToken },
    )
  await release(other, until - 1, 'late')
  expect(await claim(other, { secret })).toEqual({ state: 'held' })
  await release(one, until, 'rotated')
  expect(await claim(other, { secret })).toMatchObject({
    state: 'granted',
    refreshToken: 'rotated',
  })
})
