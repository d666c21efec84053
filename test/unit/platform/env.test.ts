import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { allInOneConfig, gatewayConfig, supergraphConfig } from '../../../gateway/config.ts'
import { OPERATION_LIMITS } from '../../../gateway/operations/operation-limits.ts'
import { ConfigError, type Env, isLoopback, readEnv } from '../../../platform/settings/env.ts'

const faultsOf = (read: () => unknown): readonly string[] => {
  try {
    read()
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

test('an empty environment gives the documented defaults', () => {
  expect(allInOneConfig({})).toEqual({
    processes: 1,
    host: '127.0.0.1',
    port: 4000,
    apiRootPath: '/api',
    corsOrigins: [],
    tls: null,
    logLevel: 'info',
    accessLog: 1,
    ui: true,
    receiverSecrets: {},
    settings: expect.any(Array),
    ignored: [],
    planCacheSize: 1_000,
    maxPaths: 1_000,
    http: {
      requests: 5_000,
      queries: 500,
      connections: 10_000,
      headerBytes: 16_384,
      headersTimeoutMs: 15_000,
      requestTimeoutMs: 300_000,
      keepAliveMs: 65_000,
      shutdownDelaySeconds: 0,
    },
    rules: {
      introspection: true,
      automaticDocuments: true,
      queryPlans: false,
      remoteDocuments: { token: undefined, folder: '.data', pollMs: 10_000 },
      trustedOnly: false,
      limits: expect.objectContaining(
        Object.fromEntries(OPERATION_LIMITS.map((name) => [name, expect.any(Number)])),
      ),
    },
    mcp: { isOn: false, writes: false, maxCalls: 16, toolSeconds: 30, maxResult: 32_000 },
    signIn: expect.objectContaining({ mode: 'none', proxyAddresses: [] }),
    streams: {
      bufferBytes: 1_048_576,
      stallMs: 10_000,
      maxPerSocket: 500,
      keepAliveMs: 12_000,
      initTimeoutMs: 3_000,
    },
    dataDir: '.data',
    database: null,
    databasePoolSize: 10,
    examples: true,
    events: {
      strict: false,
      retentionDays: 30,
      eventRetentionDays: 365,
      statusRetentionDays: 365,
      queueEvents: 50_000,
      queueBytes: 2 ** 27,
      searchLag: 1_000_000,
      queryTimeoutMs: 10_000,
      pageBytes: 2_097_152,
      importEvents: 1_000,
      notificationGroups: 1_000,
      notificationRetentionDays: 30,
      heartbeats: 1_000,
      notificationsPerMinute: 30,
    },
    imports: { scenarios: 2_000, steps: 10_000 },
    ingestion: {
      bodyBytes: 2 ** 25,
      callEvents: 100_000,
      importBytes: 2 ** 24,
      queueEvents: 50_000,
      queueBytes: 2 ** 27,
      queueRequests: 1_000,
      perMinute: null,
    },
    worker: {
      slots: 4,
      readySandboxes: 4,
      reuseSandboxes: true,
      attachmentLimits: { bytesOfOne: 5_242_880, bytesOfAll: 52_428_800 },
      programLimits: { processes: 1_024, memoryMebibytes: 4_096 },
      retention: {
        DETAILS_RETENTION_DAYS: 30,
        DETAILS_RETENTION_SCHEDULE: '17 * * * *',
        DETAILS_RETENTION_BATCH: 100,
      },
    },
    executionsQueue: 10_000,
    schedules: { isOn: true, share: 50, needsSignIn: false },
    openCallbacksPerMinute: 20,
    secretPaths: ['/run/secrets', '/var/run/secrets', resolve('.data')],
    commandSteps: true,
    sandbox: 'best-effort',
    outboundAllow: expect.arrayContaining(['127.0.0.0/8', '::1/128', '10.0.0.0/8']),
    accounts: {
      ...{ auditRetentionDays: 365, apiTokenDays: 90 },
      sessions: { idleMs: 8 * 3_600_000, lifetimeMs: 7 * 24 * 3_600_000 },
    },
    evaluationMs: 1_000,
    planMs: 2_000,
  })
})

test.each([
  ['HTTP_MAX_HEADER_BYTES', '99999999999999999999', 16_777_216],
  ['HTTP_REQUEST_TIMEOUT_SECONDS', '99999999999999999999', 86_400],
  ['HTTP_HEADERS_TIMEOUT_SECONDS', '86401', 86_400],
  ['SUBSCRIPTION_STALL_MS', '3000000000', 3_600_000],
  ['OPERATION_PLAN_MS', '3000000000', 2_147_483_647],
])('a limit that Node cannot take is refused: %s=%s', (name, value, maximum) => {
  expect(faultsOf(() => allInOneConfig({ [name]: value }))).toContain(
    `${name} must be at most ${maximum}`,
  )
})

test('the grace period of streams outlasts a check', () => {
  const grace = (seconds: string) => () =>
    allInOneConfig({ SIGN_IN_RECHECK_SECONDS: '20', SIGN_IN_GRACE_SECONDS: seconds })
  expect(faultsOf(grace('20'))).toEqual([
    'SIGN_IN_GRACE_SECONDS must be more than SIGN_IN_RECHECK_SECONDS, or every stream ends',
  ])
  expect(faultsOf(grace('21'))).toEqual([])
  expect(faultsOf(grace('46'))).toEqual(['SIGN_IN_GRACE_SECONDS must be at most 45'])
})

test('values are typed, and an empty variable counts as absent', () => {
  const config = allInOneConfig({ PORT: '0', EXAMPLES: 'false', HOST: '', API_ROOT_PATH: '/v2/' })
  expect(config).toMatchObject({ port: 0, examples: false, host: '127.0.0.1', apiRootPath: '/v2' })
})

describe.each([
  ['WORKER_SLOTS', 'a whole number', ['0x10', ' 5', '5 ', '1e3', '+5', '5.0', '1_000', 'Infinity']],
  ['ACCESS_LOG', 'a number such as 0.5', ['0x1', ' 1', '1e-3', '.', '1.', '0,5', 'NaN']],
  ['EXAMPLES', 'true or false', ['TRUE', '1', ' true', 'yes']],
] as const)('%s must be %s', (name, expected, texts) => {
  test.each(texts)('not %j', (text) => {
    expect(faultsOf(() => readEnv({ [name]: text }, [name]))).toEqual([
      `${name} must be ${expected}`,
    ])
  })
})

test('fractions are read as they are written', () => {
  expect(
    readEnv({ ACCESS_LOG: '0.25', WORKER_SLOTS: '07' }, ['ACCESS_LOG', 'WORKER_SLOTS']),
  ).toEqual({ ACCESS_LOG: 0.25, WORKER_SLOTS: 7 })
  expect(readEnv({ ACCESS_LOG: '.5' }, ['ACCESS_LOG'])).toEqual({ ACCESS_LOG: 0.5 })
})

test.each([
  ['ADMIN_PASSWORD', 'secret', 'have at least 12 characters'],
  ['ADMIN_PASSWORD', 'x'.repeat(257), 'have at most 256 characters'],
  ['INTERNAL_SECRET', 'secret', 'have at least 32 characters'],
  ['WORKER_SLOTS', '0', 'be at least 1'],
  ['WORKER_SLOTS', '257', 'be at most 256'],
  ['ACCESS_LOG', '-0.5', 'be at least 0'],
  ['LOG_LEVEL', 'loud', 'be one of: trace, debug, info, warn, error'],
] as const)('%s=%s is refused in words', (name, value, expected) => {
  expect(faultsOf(() => readEnv({ [name]: value }, [name]))).toEqual([`${name} must ${expected}`])
})

test('one message lists every fault', () => {
  const faults = faultsOf(() =>
    allInOneConfig({ PORT: '70000', HOST: '0.0.0.0', EXAMPLES: 'maybe', API_ROOT_PATH: 'api' }),
  )
  expect(faults).toHaveLength(4)
  expect(faults.join('\n')).toMatch(/PORT must be at most 65535/)
  expect(faults.join('\n')).toMatch(/EXAMPLES must be true or false/)
  expect(faults.join('\n')).toMatch(/API_ROOT_PATH must be a path such as \/api/)
  expect(faults.join('\n')).toMatch(/AUTH_MODE must be set while HOST=0\.0\.0\.0/)
})

test.each<[string, Env, string]>([
  ['a database without its key', { DATABASE_URL: 'postgres://a@b/c' }, 'SECRETS_KEY must be set'],
  [
    'a database without the key of its callbacks',
    { DATABASE_URL: 'postgres://a@b/c', SECRETS_KEY: Buffer.alloc(32).toString('base64') },
    'CALLBACK_SIGNING_SECRET must be set',
  ],
  ['a signing key of another kind', { CALLBACK_SIGNING_SECRET: 'secret' }, 'must be whsec_ and'],
  ['a network that is none', { OUTBOUND_ALLOW: '10.0.0.0' }, 'OUTBOUND_ALLOW must be networks'],
  ['a database address that is none', { DATABASE_URL: 'mysql://a' }, 'DATABASE_URL must be'],
  [
    'a minute that does not exist',
    { DETAILS_RETENTION_SCHEDULE: '61 * * * *' },
    'DETAILS_RETENTION_SCHEDULE must be minute (0-59), hour (0-23)',
  ],
  ['a sign-in mode that does not exist', { AUTH_MODE: 'maybe' }, 'AUTH_MODE must be one of: none'],
])('%s is refused', (_, env, expected) => {
  expect(faultsOf(() => allInOneConfig(env)).join('\n')).toContain(expected)
})

test.each([
  'nats://one:4222,two:4222',
  'nats://one:4222,nats://two:4222',
  'nats://one:4222, nats://two:4222',
  'nats://one,two',
  'nats://user:password@one:4222,user:password@two:4222',
  'one:4222,two:4222',
])('a list of NATS servers is refused with what to give: %s', (NATS_URL) => {
  const [fault, ...others] = faultsOf(() => readEnv({ NATS_URL }, ['NATS_URL']))
  expect(others).toEqual([])
  expect(fault).toMatch(/^NATS_URL must be one address .* other servers of its cluster/)
})

test.each(['nats://one:4222', 'nats://t0ken@one:4222', 'tls://user:p%2Cw@one:4222/'])(
  'one NATS server is taken: %s',
  (NATS_URL) => expect(faultsOf(() => readEnv({ NATS_URL }, ['NATS_URL']))).toEqual([]),
)

const DATABASE_URLS = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const

describe.each(DATABASE_URLS)('%s', (name) => {
  const faults = (value: string) => faultsOf(() => readEnv({ [name]: value }, [name]))

  test.each([
    'postgres://user:p#w@host/db',
    'postgres://user:p/w@host/db',
    'postgres://user:p?w@host/db',
    'postgres://user:1#w@host/db',
    'postgres://user:1/w@host/db',
    'postgres://user:/w==@host:5432/db',
    'postgres://user:1?w@host/db',
    'postgres://user:p#w@one,two/db',
    'postgres://user:p/w@one,two/db',
    'postgres://user:p@one:5432,two:99999/db',
  ])('refuses %s', (url) => {
    expect(faults(url)).toEqual([
      `${name} must be an address such as postgres://user:password@host:5432/database, with special characters of the password percent-encoded (%23 for #)`,
    ])
  })

  test.each([
    'postgres://user:p%23w%2F%3F@host:5432/db',
    'postgresql://user:p@one:5432,two:5433/db?sslmode=require',
    'postgres://user:p@[::1]:5432,two/db',
    'postgres://one,two',
    'postgres://a@/db?host=/var/run',
    'postgres:///db?host=/var/run&user=a@b',
    'postgres://host:5432/db?user=a@b',
    'postgres://user:p@%2Fvar%2Frun/db',
    'postgres://user:p%zz@ss@host/db',
  ])('accepts %s', (url) => {
    expect(faults(url)).toEqual([])
  })
})

test('what only a database of the operator uses is named without its address', () => {
  const key = Buffer.alloc(32).toString('base64')
  const given = {
    SECRETS_KEY: key,
    SECRETS_KEY_PREVIOUS: key,
    CALLBACK_SIGNING_SECRET: `whsec_${key}`,
    DATABASE_DIRECT_URL: 'postgres://a@b/c',
    DATABASE_READ_URL: 'postgres://a@d/c',
  }
  expect(allInOneConfig(given).ignored).toEqual(
    Object.keys(given).map((name) => expect.stringMatching(`^${name} needs DATABASE_URL`)),
  )
  expect(allInOneConfig({ ...given, DATABASE_URL: 'postgres://a@b/c' }).ignored).toEqual([])
})

test('what only a sign-in at an issuer uses is named without AUTH_MODE=oidc', () => {
  const given = {
    OIDC_ISSUER: 'https://issuer.example',
    OIDC_AUDIENCE: 'assay',
    OIDC_CLIENT_ID: 'assay',
    OIDC_SCOPES: 'openid',
  }
  const ignored = Object.keys(given).map((name) => `${name} needs AUTH_MODE=oidc`)
  const INTERNAL_SECRET = 'x'.repeat(32)
  expect(allInOneConfig(given).ignored).toEqual(ignored)
  expect(gatewayConfig({ ...given, AUTH_MODE: 'users', INTERNAL_SECRET }).ignored).toEqual(ignored)
  expect(supergraphConfig({ ...given, SUPERGRAPH: 'file' })?.ignored).toEqual(ignored)
  expect(allInOneConfig({ ...given, AUTH_MODE: 'oidc' }).ignored).toEqual([])
})

test.each(['0', '65', 'many'])('PROCESSES=%s is refused in words', (PROCESSES) => {
  expect(faultsOf(() => allInOneConfig({ PROCESSES }))).toEqual([
    'PROCESSES must be a whole number from 1 to 64, or auto',
  ])
})

test.each([
  'accept-encoding',
  'Content-Length',
  'content-type',
  'host',
  'connection',
  'transfer-encoding',
  'expect',
  'proxy-authorization',
  'sec-websocket-key',
])('%s is not forwarded to subgraphs', (name) => {
  const read = (FORWARD_HEADERS: string) =>
    faultsOf(() => supergraphConfig({ SUPERGRAPH: 'supergraph.graphql', FORWARD_HEADERS }))
  expect(read(`authorization, ${name}`).join('\n')).toMatch(
    /^FORWARD_HEADERS must be .* none that belongs to a single connection or body$/,
  )
  expect(read(`authorization,accept-language,x-${name}`)).toEqual([])
})

test('a stand-alone gateway needs the secret that signs its callers', () => {
  expect(faultsOf(() => gatewayConfig({}))).toEqual([expect.stringMatching(/^INTERNAL_SECRET/)])
})

test('beyond loopback code runs in the strict sandbox unless told otherwise', () => {
  const open = { HOST: '0.0.0.0', AUTH_MODE: 'none' }
  expect(allInOneConfig(open).sandbox).toBe('strict')
  expect(allInOneConfig({ ...open, SANDBOX: 'best-effort' }).sandbox).toBe('best-effort')
})

test.each<[Env, boolean]>([
  [{}, true],
  [{ AUTH_MODE: 'none' }, true],
  [{ HOST: '0.0.0.0', AUTH_MODE: 'none' }, false],
  [{ AUTH_MODE: 'users' }, false],
  [{ AUTH_MODE: 'proxy', PROXY_ADDRESSES: '127.0.0.1/32' }, false],
  [{ AUTH_MODE: 'users', COMMAND_STEPS: 'on' }, true],
  [{ COMMAND_STEPS: 'off' }, false],
])('with %j scenarios start programs: %s', (env, expected) => {
  expect(allInOneConfig(env).commandSteps).toBe(expected)
})

test('beyond loopback only public addresses are called back unless told otherwise', () => {
  const open = { HOST: '0.0.0.0', AUTH_MODE: 'none' }
  expect(allInOneConfig(open).outboundAllow).toEqual([])
  expect(allInOneConfig({ ...open, OUTBOUND_ALLOW: '10.1.0.0/16' }).outboundAllow).toEqual([
    '10.1.0.0/16',
  ])
})

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.evil.example', false],
  ['192.168.1.2', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

describe('secrets in files', () => {
  const KEY = 'a'.repeat(43)
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secret-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const fileWith = async (text: string) => {
    const path = join(folder, 'value')
    await writeFile(path, text)
    return path
  }

  test('a secret is read from the file that its variable with _FILE names', async () => {
    const SECRETS_KEY_FILE = await fileWith(`${KEY}\n`)
    expect(readEnv({ SECRETS_KEY_FILE }, ['SECRETS_KEY'])).toEqual({ SECRETS_KEY: KEY })
  })

  test('a value and a file exclude each other', async () => {
    const SECRETS_KEY_FILE = await fileWith(KEY)
    const read = () => readEnv({ SECRETS_KEY: KEY, SECRETS_KEY_FILE }, ['SECRETS_KEY'])
    expect(faultsOf(read)).toEqual(['SECRETS_KEY and SECRETS_KEY_FILE exclude each other'])
  })

  test('a file that is missing, empty or holds a wrong value is a fault that does not show the value', async () => {
    const faultOf = (SECRETS_KEY_FILE: string) =>
      faultsOf(() => readEnv({ SECRETS_KEY_FILE }, ['SECRETS_KEY']))
    expect(faultOf(join(folder, 'none'))).toEqual([
      expect.stringMatching(/^SECRETS_KEY_FILE: .*none cannot be read: ENOENT/),
    ])
    expect(faultOf(await fileWith('\n'))).toEqual([
      `SECRETS_KEY_FILE: ${join(folder, 'value')} is empty`,
    ])
    expect(faultOf(await fileWith('wrong'))).toEqual([
      'SECRETS_KEY must be 32 bytes in Base64, as `openssl rand -base64 32` prints them',
    ])
  })

  test('what is no secret has no file', async () => {
    expect(readEnv({ PORT_FILE: await fileWith('1') }, ['PORT'])).toEqual({ PORT: 4000 })
  })
})
