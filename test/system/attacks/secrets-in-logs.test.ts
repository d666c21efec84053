import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Assay, ENTRY, type ProcessName, startAssay } from '../../support/assay.ts'
import { type Collector, startCollector, status } from '../../support/collector.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../../support/e2e/users.ts'
import { eventually } from '../../support/eventually.ts'
import { spawnProduct } from '../../support/product-process.ts'
import { openStream } from '../../support/system/open-stream.ts'
import { shapesOf } from '../../support/system/shapes.ts'

/** Each secret of the test by what it is. Odd characters show encodings that differ. */
const secrets: Record<string, string> = {}
const secret = (what: string): string => {
  secrets[what] ??= `${what.replaceAll(' ', '-')}/+&ö ${randomBytes(9).toString('hex')}`
  return secrets[what]
}

/** Names of the secrets in a text. */
const found = (text: string): string[] =>
  Object.entries(secrets)
    .filter(([, value]) => shapesOf(value).some((shape) => text.includes(shape)))
    .map(([name]) => name)

const admin = () => basic(ADMIN, ADMIN_PASSWORD)

let assay: Assay
let client: Client
let collector: Collector
beforeAll(async () => {
  process.setMaxListeners(20) // one for each process of the product
  collector = await startCollector(status(500))
  assay = await startAssay({
    mode: 'distributed',
    env: {
      ...USERS_ENV,
      LOG_LEVEL: 'trace',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      SIGN_IN_RECHECK_SECONDS: '1',
    },
  })
  client = new Client(assay.url)
  for (const name of ['SECRETS_KEY', 'INTERNAL_SECRET', 'CALLBACK_SIGNING_SECRET'])
    secrets[name] = (assay.env[name] ?? '').replace(/^whsec_/, '')
  secrets['password of the administrator'] = ADMIN_PASSWORD
  secrets['password of the database'] = decodeURIComponent(
    new URL(assay.env.DATABASE_URL ?? '').password,
  )
})
afterAll(async () => {
  await assay?.stop()
  await collector?.stop()
})

const latin1 = (text: string) => Buffer.from(text).toString('base64')
const { rest, graphql } = {
  rest: (...args: Parameters<Client['rest']>) => client.rest(...args),
  graphql: (...args: Parameters<Client['graphql']>) => client.graphql(...args),
}

async function signInEveryWay(): Promise<void> {
  const { id } = await client.account('ada@example.com', 'EDITOR')
  const set = (password: string) =>
    graphql(
      'mutation ($input: UpdateAccountInput!) { updateAccount(input: $input) { id } }',
      admin(),
      { input: { id, password } },
    )
  await set(secret('password of ada'))
  await set('short-1-pw') // refused
  secrets['a short password'] = 'short-1-pw'
  const ada = basic('ada@example.com', secret('password of ada'))
  await rest('GET', '/component/count', ada)
  await rest('GET', '/component/count', basic('ada@example.com', secret('wrong password')))
  await rest('GET', '/component/count', basic(secret('password as user').slice(0, 40), ''))
  const { body } = await rest('POST', '/authenticate', ada)
  secrets['session token'] = body.token
  const api = await client.token(ada, ['events:write', 'executions:run'])
  secrets['API token'] = api.secret
  secrets['unknown API token'] = `assay_${randomBytes(32).toString('base64url')}`
  secrets['unknown token'] = randomBytes(32).toString('base64url')
  for (const name of ['session token', 'API token', 'unknown API token', 'unknown token']) {
    const token = secrets[name] ?? ''
    for (const headers of [
      { token },
      { authorization: `Bearer ${token}` },
      { authorization: `Digest ${token}` },
      basic('', token),
      basic(token, ''),
      basic('ada@example.com', token),
      { token: token.repeat(300) },
    ]) {
      await rest('GET', `/component/count?token=${token}`, headers as Record<string, string>)
      await rest('POST', '/v1/events', headers as Record<string, string>, { title: 'x' })
      await graphql('{ viewer { user } }', headers as Record<string, string>)
    }
    for (const isSocket of [true, false])
      await openStream(assay.url, { token }, isSocket).then(
        (stream) => stream.close(),
        () => {},
      )
    await client.overSocket(
      { headers: { authorization: `Bearer ${token}` } },
      '{ viewer { user } }',
    )
  }
  const CHANGE = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) }'
  const passwords = { current: secret('guessed password'), password: secret('next password') }
  await graphql(CHANGE, ada, { input: passwords })
  await graphql(CHANGE, ada, { input: { ...passwords, password: 5 } })
  await graphql(`mutation { changePassword(input: {current: "${secret('literal')}"}) }`, ada)
  await graphql(`{ viewer { "${secret('syntax error')}" `, ada)
  await fetch(`${assay.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ada },
    body: `{"query": "{ viewer { user } }", "password": "${secret('broken JSON')}`,
  })
}

async function runSecretly(): Promise<void> {
  const port = new URL(collector.url).port
  const environment = (name: string, value: string) => ({
    ...{ id: name, name, secrets: [{ name: 'TOKEN', value }] },
    allowedHosts: [`127.0.0.1:${port}`, '127.0.0.1:1', 'nothing.invalid'],
  })
  await rest('POST', '/environment', admin(), environment('lab', secret('secret of lab')))
  await rest('POST', '/environment', admin(), {
    ...environment('lab', secret('secret of a double')),
    baseUrl: `http://user:${encodeURIComponent(secret('password in baseUrl'))}@host`,
  })
  await rest('POST', '/environment', admin(), environment('lab', secret('taken id')))
  const component = {
    ...{ id: 'leaky', name: 'Leaky', environment: 'lab' },
    sourceCode:
      'export function leak(text) { console.log(text); console.error(text); throw new Error(text) }',
  }
  await rest('POST', '/component', admin(), component)
  const TOKEN = '{{env.TOKEN}}'
  const steps = [
    { id: 'code', call: { function: 'leak', args: [TOKEN] } },
    { id: 'refused', http: { url: `http://127.0.0.1:1/?key=${TOKEN}` } },
    { id: 'lookup', http: { url: `http://nothing.invalid/${TOKEN}` } },
    { id: 'failing', http: { url: `${collector.url}/`, headers: { authorization: TOKEN } } },
  ].map((step) => ({ ...step, continueOnFailure: true }))
  for (const step of steps) {
    const { continueOnFailure: _, ...only } = step
    const made = await rest('POST', '/testcase', admin(), {
      ...{ id: only.id, name: only.id, componentUnderTest: 'leaky', environment: 'lab' },
      scenario: { steps: [only] },
    })
    expect(made.status).toBe(201)
    const run = (credentials: string, query = '') =>
      rest('POST', `/testcase/${only.id}/execute?synchron=true${query}`, {
        ...admin(),
        credentials,
      })
    const plain = latin1(`host:${secret('password of the host')}`)
    const hook = (address: string) => `&callbackUrl=${encodeURIComponent(address)}`
    const key = `?key=${encodeURIComponent(secret('callback query'))}`
    const user = encodeURIComponent(secret('callback user'))
    const first = await run(plain, hook(`${collector.url}/hook${key}`))
    expect(first.body).toMatchObject({ state: expect.stringMatching(/^(COMPLETED|FAILED|ERROR)$/) })
    await run(encodeURIComponent(plain), hook(`http://127.0.0.1:1/hook${key}`))
    await run(plain, hook(`http://169.254.169.254/hook${key}`))
    await run(plain, hook(`http://${user}:${user}@127.0.0.1:1/hook`))
    await run(plain, `&callbackUrl=${encodeURIComponent(`ht!tp://${secret('bad callback')}`)}`)
    await run(encodeURIComponent(secret('malformed credentials')))
  }
  await eventually(async () => expect(collector.requests.length).toBeGreaterThan(0))
}

/** Faults of the database are logged whole, with statement and row, unless something takes them out. */
async function breakTables(): Promise<void> {
  const database = new pg.Client({ connectionString: assay.env.DATABASE_URL })
  await database.connect()
  const without = async (table: string, run: () => Promise<unknown>) => {
    await database.query(`alter table ${table} rename to away`)
    await run()
    await database.query(`alter table ${table.split('.')[0]}.away rename to ${table.split('.')[1]}`)
  }
  const ada = basic('ada@example.com', secret('password of ada'))
  await without('accounts.session', async () => {
    await rest('POST', '/authenticate', ada)
    await rest('GET', '/component/count', { token: secrets['session token'] ?? '' })
  })
  await without('accounts.api_token', async () => {
    await rest('GET', '/component/count', { token: secrets['API token'] ?? '' })
    await client.token(ada, ['events:write']).catch(() => {})
  })
  await without('accounts.account', () =>
    rest('GET', '/component/count', basic('ada@example.com', secret('password of a fault'))),
  )
  await without('test_execution.artifact', () =>
    rest('POST', '/environment', admin(), {
      ...{ id: 'away', name: 'Away', secrets: [{ name: 'A', value: secret('secret of a fault') }] },
    }),
  )
  await database.end()
}

test('no process says a secret at LOG_LEVEL=trace, whatever goes right or wrong', async () => {
  await signInEveryWay()
  await runSecretly()
  await breakTables()
  await eventually(async () => expect(assay.logs()).toContain('A request failed'))
  const log = assay.logs()
  const SAMPLE = secret('password of the host')
  for (const text of [
    SAMPLE,
    encodeURIComponent(SAMPLE),
    latin1(`a:${SAMPLE}`),
    latin1(`ab:${SAMPLE}c`),
  ])
    expect(found(`${log}${text}`)).toEqual(['password of the host'])
  expect(Object.keys(secrets).length).toBeGreaterThan(20)
  expect(found(log)).toEqual([])
  expect(log).not.toMatch(/\$argon2id\$/)
})

test('nor does a start that fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-logs-'))
  const url = new URL(assay.env.DATABASE_URL ?? '')
  const wrong = encodeURIComponent(secret('wrong password of the database'))
  const away = `postgres://assay:${wrong}@127.0.0.1:1/assay`
  const settings: Record<string, string>[] = [
    { DATABASE_URL: `postgres://${url.username}:${wrong}@${url.host}${url.pathname}` },
    { DATABASE_URL: away },
    { DATABASE_URL: `mysql://assay:${wrong}@host/assay` },
    { DATABASE_URL: `postgres://assay:${wrong}@[host/assay` },
    { NATS_URL: `nats://user:${encodeURIComponent(secret('password of NATS'))}@127.0.0.1:1` },
    { NATS_URL: `http://user:${encodeURIComponent(secret('password of NATS'))}@127.0.0.1:1` },
    { SECRETS_KEY: secret('bad key'), SECRETS_KEY_PREVIOUS: secret('bad previous key') },
    { CALLBACK_SIGNING_SECRET: secret('bad webhook secret') },
    { ADMIN_PASSWORD: 'Kurz-4711' },
  ]
  secrets['short password of an administrator'] = 'Kurz-4711'
  try {
    const names: ProcessName[] = ['server', 'worker']
    const start = (name: ProcessName) =>
      settings.map(async (wrongSettings, at) => {
        const env = { ...assay.env, PORT: '0', ...wrongSettings }
        const started = spawnProduct(name, ENTRY[name], env, folder)
        const patience = setTimeout(() => started.signal('SIGKILL'), 8_000)
        await started.exited
        clearTimeout(patience)
        expect({ name, at, found: found(started.output()) }).toEqual({ name, at, found: [] })
      })
    for (const name of names) await Promise.all(start(name))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
