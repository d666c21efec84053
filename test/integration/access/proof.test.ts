import pg from 'pg'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Identity } from '../../../platform/access/identity.ts'
import { ROLES } from '../../../platform/access/permissions.ts'
import { startJobs } from '../../../platform/jobs/jobs.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { Releasers } from '../../../platform/process/releasers.ts'
import { startPostgresPubSub } from '../../../platform/pub-sub/postgres.ts'
import { executable } from '../../../platform/subgraph/executable.ts'
import { startAccounts } from '../../../subgraphs/accounts/index.ts'
import { querier } from '../../support/access/querier.ts'
import { createDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

const SESSIONS = { idleMs: 60_000, lifetimeMs: 60_000 }
const OWNER = { email: 'root@example.com', password: 'the-first-password' }
const ADMIN: Caller = { requestId: 'r', user: 'another@example.com', permissions: ROLES.admin }
const STRANGER: Caller = { requestId: 'r', user: null, permissions: [] }

const SESSION = 'mutation { openBrowserSession(browser: "any") }'
const TOKEN = 'mutation { authenticate { token } }'
const API_TOKEN =
  'mutation { createApiToken(input: { name: "CI", scopes: ["events:read"] }) { secret } }'

const releasers = new Releasers()
let url: string
let run: (
  document: string,
  variables: Record<string, unknown>,
  caller: Caller,
) => Promise<Record<string, unknown>>
let rows: (statement: string) => Promise<object[]>
beforeAll(async () => {
  const log = createLogger('silent')
  const { url: databaseUrl, drop } = await createDatabase()
  releasers.defer(drop)
  url = databaseUrl
  const pubSub = await startPostgresPubSub(databaseUrl, log)
  releasers.defer(() => pubSub.stop())
  const jobs = await startJobs(databaseUrl, log)
  releasers.defer(() => jobs.stop())
  const accounts = await startAccounts(
    { databaseUrl, pubSub, jobs, log },
    { firstAdmin: OWNER, auditRetentionDays: 1, apiTokenDays: 90, sessions: SESSIONS },
  )
  releasers.defer(() => accounts.stop())
  const subgraph = executable(accounts, log)
  run = async (document, variables, caller) => {
    const { data, errors } = await subgraph.execute({ document, variables }, { caller })
    if (errors?.[0]) throw errors[0]
    return data ?? {}
  }
  const database = querier(databaseUrl)
  releasers.defer(database.close)
  rows = database.query
})
afterAll(() => releasers.release())

/** The caller that signs in with a credential. @throws for a credential that is not valid */
async function proven(credential: object): Promise<Caller & { account: string }> {
  const document = 'query ($credential: JSONObject!) { identify(credential: $credential) }'
  const { identify } = await run(document, { credential }, STRANGER)
  const { account, ...identity } = identify as Identity // as the subgraph answers
  if (!account) throw new Error('The credential is not valid')
  return { ...STRANGER, ...identity, account }
}

const byPassword = (password: string) => proven({ kind: 'basic', user: OWNER.email, password })

const setPassword = ({ account }: Caller, password: string) =>
  run(
    'mutation ($input: UpdateAccountInput!) { updateAccount(input: $input) { id } }',
    { input: { id: account, password } },
    ADMIN,
  )

const lasting = () =>
  rows(`select id from accounts.session union all select id from accounts.browser_session
    union all select id from accounts.api_token`)

/** Runs `change` in a transaction that is open until `begun` waits for it. */
async function duringChange(change: string, begun: () => Promise<unknown>): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin; lock table accounts.account in share row exclusive mode')
    await client.query(change)
    const outcome = begun().catch((error) => error)
    await eventually(async () => {
      const waiting = `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      if ((await rows(waiting)).length === 0) throw new Error('Nothing waits')
    })
    await client.query('commit')
    return await outcome
  } finally {
    await client.end()
  }
}

const REFUSED = { extensions: { code: 'UNAUTHENTICATED' } }

test('nothing lasting comes of a password that was changed since it was proven', async () => {
  const caller = await byPassword(OWNER.password)
  await setPassword(caller, 'the-second-password')
  for (const document of [SESSION, TOKEN, API_TOKEN])
    await expect(run(document, {}, caller)).rejects.toMatchObject(REFUSED)
  expect(await lasting()).toEqual([])

  const again = await byPassword('the-second-password')
  for (const document of [SESSION, TOKEN, API_TOKEN]) await run(document, {}, again)
  expect(await lasting()).toHaveLength(3)
})

test('nor of one that is being changed at this moment, nor of an account that is', async () => {
  const caller = await byPassword('the-second-password')
  const before = await lasting()
  const where = `where id = '${caller.account}'`
  const others = [
    `update accounts.account set password_hash = password_hash || '=' ${where}`,
    `update accounts.account set active = false ${where}`,
  ]
  for (const change of others) {
    for (const document of [SESSION, TOKEN, API_TOKEN]) {
      const outcome = await duringChange(change, () => run(document, {}, caller))
      expect(outcome).toMatchObject(REFUSED)
    }
    await rows(
      `update accounts.account set active = true, password_hash = rtrim(password_hash, '=') ${where}`,
    )
  }
  expect(await lasting()).toEqual(before)
})

test('two changes of the own password: the second one needs the password that the first one set', async () => {
  const caller = await byPassword('the-second-password')
  const [{ hash }] = (await rows(
    `select password_hash as hash from accounts.account where id = '${caller.account}'`,
  )) as [{ hash: string }]
  const input = { current: 'the-second-password', password: 'of-the-attacker' }
  const CHANGE = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) }'
  const first = `update accounts.account set password_hash = '${hash}=' where id = '${caller.account}'`
  expect(await duringChange(first, () => run(CHANGE, { input }, caller))).toMatchObject(REFUSED)
  const stored = `select id from accounts.account where password_hash = '${hash}='`
  expect(await rows(stored)).toEqual([{ id: caller.account }])
  await rows(
    `update accounts.account set password_hash = '${hash}' where password_hash = '${hash}='`,
  )
})

test('a session that has ended makes no API token, and no proof at all nothing', async () => {
  const caller = await byPassword('the-second-password')
  const { openBrowserSession } = await run(SESSION, {}, caller)
  const { secret } = openBrowserSession as { secret: string }
  const { authenticate } = await run(TOKEN, {}, caller)
  const { token } = authenticate as { token: string }
  const signedIn = [
    await proven({ kind: 'cookie', secret }),
    await proven({ kind: 'token', token }),
  ]
  for (const each of signedIn) await run(API_TOKEN, {}, each)
  await setPassword(caller, 'the-third-password')
  const before = await lasting()
  const { passwordId: _, ...unproven } = caller
  for (const each of [...signedIn, unproven])
    await expect(run(API_TOKEN, {}, each)).rejects.toMatchObject(REFUSED)
  expect(await lasting()).toEqual(before)
})
