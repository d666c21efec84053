import type { Caller } from '../../../platform/access/caller.ts'
import { type Permission, ROLES } from '../../../platform/access/permissions.ts'
import { startJobs } from '../../../platform/jobs/jobs.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { Releasers } from '../../../platform/process/releasers.ts'
import { startPostgresPubSub } from '../../../platform/pub-sub/postgres.ts'
import { executable } from '../../../platform/subgraph/executable.ts'
import { startAccounts } from '../../../subgraphs/accounts/index.ts'
import { querier } from '../../support/access/querier.ts'
import { createDatabase } from '../../support/database.ts'

/** The caller that an issuer names `ada`. @param subject absent from a gateway of the version before */
const ada = (subject?: string): Caller => ({
  requestId: 'r',
  user: 'ada',
  permissions: ROLES.editor,
  ...(subject !== undefined && { subject: `https://id.example\n${subject}` }),
})
const STRANGER: Caller = { requestId: 'r', user: null, permissions: [] }
const GRANT = {
  refreshToken: 'a refresh token',
  claims: { sub: 'u1', user: 'ada', roles: ['editor'] },
  renewInMs: 0,
  lastsMs: 60_000,
}

const releasers = new Releasers()
let run: (
  document: string,
  caller: Caller,
  variables?: Record<string, unknown>,
) => Promise<Record<string, unknown>>
let query: (statement: string) => Promise<object[]>
beforeAll(async () => {
  const log = createLogger('silent')
  const { url: databaseUrl, drop } = await createDatabase()
  releasers.defer(drop)
  const pubSub = await startPostgresPubSub(databaseUrl, log)
  releasers.defer(() => pubSub.stop())
  const jobs = await startJobs(databaseUrl, log)
  releasers.defer(() => jobs.stop())
  const accounts = await startAccounts(
    { databaseUrl, pubSub, jobs, log },
    {
      firstAdmin: { email: 'root@example.com', password: 'the-first-password' },
      auditRetentionDays: 1,
      apiTokenDays: 90,
      sessions: { idleMs: 3_600_000, lifetimeMs: 100 * 3_600_000 },
    },
  )
  releasers.defer(() => accounts.stop())
  const subgraph = executable(accounts, log)
  run = async (document, caller, variables = {}) => {
    const { data, errors } = await subgraph.execute({ document, variables }, { caller })
    if (errors?.[0]) throw errors[0]
    return data ?? {}
  }
  const database = querier(databaseUrl)
  releasers.defer(database.close)
  query = database.query
})
afterAll(() => releasers.release())
beforeEach(() => query('delete from accounts.browser_session'))

const OPEN = 'mutation ($grant: JSONObject) { openBrowserSession(browser: "any", grant: $grant) }'

interface Opened {
  secret: string
  id: string
}

const open = async (caller: Caller, grant: object | null = null): Promise<Opened> =>
  (await run(OPEN, caller, { grant })).openBrowserSession as Opened // as the subgraph answers

const sessionsOf = async (caller: Caller): Promise<string[]> => {
  const { browserSessions } = await run('{ browserSessions { id } }', caller)
  return (browserSessions as { id: string }[]).map(({ id }) => id).sort()
}

const whoHas = async ({ secret }: Opened): Promise<object | null> => {
  const credential = { kind: 'cookie', secret }
  const document = 'query ($credential: JSONObject!) { identify(credential: $credential) }'
  return (await run(document, STRANGER, { credential })).identify as object | null
}

const renew = ({ secret }: Opened, identity: Partial<Caller>): Promise<unknown> =>
  run(
    'mutation ($secret: String!, $identity: JSONObject!, $grant: JSONObject!) { renewSession(secret: $secret, identity: $identity, grant: $grant) }',
    STRANGER,
    { secret, identity: { permissions: [] as Permission[], ...identity }, grant: GRANT },
  )

test('two subjects with one name see and end none of the sessions of each other', async () => {
  const [one, other] = [await open(ada('u1')), await open(ada('u2'))]
  expect(await sessionsOf(ada('u1'))).toEqual([one.id])
  expect(await sessionsOf(ada('u2'))).toEqual([other.id])
  const END = 'mutation ($id: ID!) { endBrowserSession(id: $id) }'
  await expect(run(END, ada('u1'), { id: other.id })).rejects.toThrow(/session/)
  await run('mutation { signOut(everywhere: true) }', ada('u1'))
  expect(await whoHas(one)).toBeNull()
  expect(await whoHas(other)).toMatchObject({ user: 'ada', subject: 'https://id.example\nu2' })
  const auditor: Caller = { requestId: 'r', user: 'root', permissions: ROLES.admin }
  const document = '{ auditLog(filter: { user: "ada" }) { nodes { action subject } } }'
  const { auditLog } = await run(document, auditor)
  const of = (subject: string, action: string) => ({
    action,
    subject: `https://id.example\n${subject}`,
  })
  expect(auditLog).toEqual({
    nodes: [of('u1', 'signOut'), of('u2', 'openBrowserSession'), of('u1', 'openBrowserSession')],
  })
})

test('a session of the version before counts for its name, and for its subject once it is renewed', async () => {
  const former = await open(ada(), GRANT)
  expect(await whoHas(former)).not.toHaveProperty('subject')
  expect(await sessionsOf(ada('u1'))).toEqual([former.id])
  await renew(former, { user: 'ada', subject: 'https://id.example\nu1' })
  expect(await sessionsOf(ada('u2'))).toEqual([])
  expect(await sessionsOf(ada('u1'))).toEqual([former.id])
})

test('a subject that gets another name keeps its session, and no other subject takes it', async () => {
  const session = await open(ada('u1'), GRANT)
  await renew(session, { user: 'ada.lovelace', subject: 'https://id.example\nu1' })
  expect(await whoHas(session)).toMatchObject({ user: 'ada.lovelace' })
  await renew(session, { user: 'ada.lovelace', subject: 'https://other.example\nu1' })
  expect(await whoHas(session)).toBeNull()
})

test('a gateway of the version before renews a session, and takes its subject from none', async () => {
  const session = await open(ada('u1'), GRANT)
  await renew(session, { user: 'ada' })
  expect(await whoHas(session)).toMatchObject({ subject: 'https://id.example\nu1' })
})
