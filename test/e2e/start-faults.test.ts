import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { modeOfProject, type ProcessName } from '../support/assay.ts'
import { administer, createDatabase, urlOf } from '../support/database.ts'
import { lastWordsOf } from '../support/e2e/last-words.ts'

const inProcess = modeOfProject() === 'in-process'
const PROCESSES: ProcessName[] = inProcess
  ? ['server']
  : ['gateway', 'events', 'test-execution', 'accounts', 'worker']
const SERVERS = PROCESSES.filter((name) => name !== 'worker')

const KEY = Buffer.alloc(32).toString('base64')
const SETTINGS = {
  PORT: '0',
  SECRETS_KEY: KEY,
  CALLBACK_SIGNING_SECRET: `whsec_${KEY}`,
  INTERNAL_SECRET: KEY,
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
}

test('a host that other machines reach needs AUTH_MODE', async () => {
  for (const name of SERVERS)
    expect(await lastWordsOf(name, { ...SETTINGS, HOST: '0.0.0.0' })).toMatch(
      /^The configuration is wrong:\n {2}- AUTH_MODE must be set while HOST=0\.0\.0\.0 [^\n]+\n$/,
    )
})

test('wrong values are told in one message that lists every fault', async () => {
  for (const name of PROCESSES) {
    const output = await lastWordsOf(name, {
      HOST: '0.0.0.0',
      PORT: 'eighty',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://here',
      SECRETS_KEY: 'short',
      CALLBACK_SIGNING_SECRET: 'whsec_short',
      OUTBOUND_ALLOW: 'everything',
      WORKER_SLOTS: '0',
      EVENTS_STRICT: 'perhaps',
      EXAMPLES: 'some',
      INTERNAL_SECRET: 'short',
      EVENTS_URL: 'nowhere',
    })
    const faults: Record<ProcessName, string> = {
      server:
        'AUTH_MODE CALLBACK_SIGNING_SECRET DATABASE_URL EVENTS_STRICT EXAMPLES LOG_LEVEL OUTBOUND_ALLOW PORT SECRETS_KEY WORKER_SLOTS',
      gateway: 'AUTH_MODE EVENTS_URL INTERNAL_SECRET LOG_LEVEL PORT',
      events:
        'AUTH_MODE CALLBACK_SIGNING_SECRET DATABASE_URL EVENTS_STRICT EVENTS_URL INTERNAL_SECRET LOG_LEVEL OUTBOUND_ALLOW PORT SECRETS_KEY',
      'test-execution':
        'AUTH_MODE DATABASE_URL EVENTS_URL EXAMPLES INTERNAL_SECRET LOG_LEVEL OUTBOUND_ALLOW PORT SECRETS_KEY',
      accounts: 'AUTH_MODE DATABASE_URL INTERNAL_SECRET LOG_LEVEL PORT',
      worker:
        'CALLBACK_SIGNING_SECRET DATABASE_URL EVENTS_URL LOG_LEVEL OUTBOUND_ALLOW PORT SECRETS_KEY WORKER_SLOTS',
    }
    const told = [...output.matchAll(/^ {2}- (\w+) /gm)].map(([, variable]) => variable)
    expect(output).toMatch(/^The configuration is wrong:\n/)
    expect(told.sort().join(' ')).toBe(faults[name])
  }
})

test('a wrong setting of traces hides no fault of another', async () => {
  const [name = 'server'] = PROCESSES
  const output = await lastWordsOf(name, { PORT: 'eighty', OTEL_TRACES_SAMPLER_ARG: '2' })
  expect(output).toMatch(/ {2}- PORT must be a whole number\n/)
  expect(output).toMatch(/ {2}- OTEL_TRACES_SAMPLER_ARG must be at most 1\n/)
})

test('what must be given and is not is told as well', async () => {
  const { DATABASE_URL, PORT } = SETTINGS
  for (const name of PROCESSES) {
    const output = await lastWordsOf(name, inProcess ? { DATABASE_URL, PORT } : { PORT })
    const missing: Record<ProcessName, string[]> = {
      server: ['SECRETS_KEY', 'CALLBACK_SIGNING_SECRET'],
      gateway: ['INTERNAL_SECRET'],
      events: ['DATABASE_URL', 'INTERNAL_SECRET'],
      'test-execution': ['DATABASE_URL', 'SECRETS_KEY', 'INTERNAL_SECRET'],
      accounts: ['DATABASE_URL', 'INTERNAL_SECRET'],
      worker: ['DATABASE_URL', 'SECRETS_KEY', 'CALLBACK_SIGNING_SECRET'],
    }
    for (const variable of missing[name]) expect(output).toContain(`${variable} must be set`)
  }
})

test('a database that is not there ends the start with a message', async () => {
  for (const name of PROCESSES.filter((each) => each !== 'gateway'))
    expect(await lastWordsOf(name, SETTINGS)).toMatch(/127\.0\.0\.1:1\b/)
})

test('a taken port ends a first start before its database is made', async () => {
  if (!inProcess) return
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  try {
    const { port } = other.address() as AddressInfo // listens on TCP
    const output = await lastWordsOf('server', { PORT: String(port), LOG_LEVEL: 'info' })
    expect(output).toContain(`address already in use 127.0.0.1:${port}`)
    expect(output).not.toContain('Creating the database')
  } finally {
    other.close()
  }
})

test('a wrong list of trusted documents is named with the other faults', async () => {
  for (const name of SERVERS.filter((each) => each === 'server' || each === 'gateway')) {
    const output = await lastWordsOf(name, { PORT: 'eighty', TRUSTED_DOCUMENTS: '/none.json' })
    expect(output).toContain('  - PORT must be a whole number\n')
    expect(output).toContain('  - TRUSTED_DOCUMENTS=/none.json cannot be read: ')
  }
})

test('a database or user that the server does not know ends the start with what to do', async () => {
  const database = urlOf('no_such_database')
  const user = new URL(database)
  user.username = 'no_such_user'
  for (const name of PROCESSES.filter((each) => each !== 'gateway')) {
    const settings = { ...SETTINGS, DATABASE_URL: database }
    expect(await lastWordsOf(name, settings)).toMatch(/"no_such_database".*\nCreate that database/)
    expect(await lastWordsOf(name, { ...settings, DATABASE_URL: user.href })).toMatch(
      /"no_such_user".*\nThe database refuses this user/,
    )
  }
})

test('a database server without TLS that is asked for it ends the start with what to do', async () => {
  const url = new URL(urlOf('postgres'))
  url.searchParams.set('sslmode', 'require')
  for (const name of PROCESSES.filter((each) => each !== 'gateway'))
    expect(await lastWordsOf(name, { ...SETTINGS, DATABASE_URL: url.href })).toMatch(
      /does not support SSL connections\nThe database server has no TLS/,
    )
})

test('a user who does not own the database ends the start with what to do', async () => {
  const database = await createDatabase()
  const url = new URL(database.url)
  Object.assign(url, { username: `guest_${process.pid}_${Date.now()}`, password: 'guest' })
  await administer(`create role ${url.username} login password 'guest'`)
  try {
    for (const name of PROCESSES.filter((each) => each !== 'gateway'))
      expect(await lastWordsOf(name, { ...SETTINGS, DATABASE_URL: url.href })).toMatch(
        /permission denied for .*\nThat user may not create what Assay needs: make it the owner/,
      )
  } finally {
    await database.drop()
    await administer(`drop role ${url.username}`)
  }
})
