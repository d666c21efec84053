import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Assay, startAssay } from '../../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../../support/e2e/users.ts'

type Headers = Record<string, string>

const admin = basic(ADMIN, ADMIN_PASSWORD)
const INVENTED = { credentials: btoa('root:invented') }
const ENCODED = { credentials: encodeURIComponent(btoa('root:>>>???')) }

const COMPONENT = '/noauth/testcases/execute?componentName=Target&environmentId=host'
const EXECUTE = `mutation ($input: ExecuteInput!) { FIELD(input: $input) { id executedBy } }`
const EXECUTE_COMPONENT = `mutation ($input: ExecuteComponentInput!) {
  executeComponent(input: $input) { id } }`
const credentials = { userId: 'root', password: 'invented' }

let assay: Assay
let client: Client
let folder: string
let marker: string

/** Stores, as the administrator, what runs a program and what leads to it. */
async function storeTargets(): Promise<void> {
  const post = async (path: string, body: object) =>
    expect(await client.rest('POST', path, admin, body)).toMatchObject({ status: 201 })
  const scenario = (id: string, step: object, more: object) =>
    post('/testcase', {
      ...{ id, name: id, environment: 'host', scenario: { steps: [{ id: 'step', ...step }] } },
      ...more,
    })
  const command = { command: { program: 'touch', args: [marker] } }
  const open = { allowExecuteWithoutCredentials: true, componentUnderTest: 'loan-schedule' }
  await post('/environment', { id: 'host', name: 'host', runners: ['COMMAND', 'CALL'] })
  await post('/component', { id: 'target', name: 'Target', sourceCode: 'export {}' })
  await scenario('closed', command, { componentUnderTest: 'target' })
  await scenario('open-target', { wait: { ms: 1 } }, { ...open, componentUnderTest: 'target' })
  await scenario('leads-to-closed', { scenario: { id: 'closed' } }, open)
  await scenario('leads-deeper', { scenario: { id: 'leads-to-closed' } }, open)
  const loan = { principal: 1_000, annualRatePercent: 1, months: 2 }
  const schedule = { call: { function: 'schedule', args: [loan] } }
  await scenario('open', schedule, open)
  await post('/suite', { id: 'mixed', name: 'mixed', testCases: ['open', 'closed'] })
  await post('/suite', { id: 'deep', name: 'deep', testCases: ['open', 'leads-deeper'] })
  await post('/suite', { id: 'all-open', name: 'all-open', testCases: ['open'] })
}

/** Objects and executions that an administrator sees. */
const visible = () =>
  client.run('{ executionResults { totalCount } suites { nodes { id revision } } }', admin)

/** Runs attacks, and expects that they leave nothing behind. */
async function expectNoEffect(attack: () => Promise<void>): Promise<void> {
  const before = await visible()
  await attack()
  expect(await visible()).toEqual(before)
  expect(existsSync(marker)).toBe(false)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-attack-'))
  marker = join(folder, 'a-program-ran')
  assay = await startAssay({ mode: 'in-process', env: { ...USERS_ENV, COMMAND_STEPS: 'on' } })
  client = new Client(assay.url)
  await storeTargets()
})
afterAll(async () => {
  await assay?.stop()
  await rm(folder, { recursive: true, force: true })
})

const CLOSED = ['closed', 'loan-schedule', 'mixed', 'finance', 'leads-to-closed', 'leads-deeper']

test('without a sign-in nothing closed runs, with or without credentials', () =>
  expectNoEffect(async () => {
    for (const headers of [{}, INVENTED, ENCODED] as Headers[]) {
      for (const id of [...CLOSED, 'deep', 'no-such-id'])
        expect([id, (await client.rest('POST', `/noauth/execute/${id}`, headers)).status]).toEqual([
          id,
          401,
        ])
      expect((await client.rest('POST', COMPONENT, headers)).status).toBe(401)
    }
  }))

test('the refusal does not say whether something exists', async () => {
  const messageOf = async (path: string, id: string) =>
    (await client.rest('POST', path, INVENTED)).body.message.replace(id, 'ID')
  const unknown = await messageOf('/noauth/execute/no-such-id', 'no-such-id')
  for (const id of CLOSED) expect(await messageOf(`/noauth/execute/${id}`, id)).toBe(unknown)
  const component = (name: string, environment: string) =>
    messageOf(`/noauth/testcases/execute?componentName=${name}&environmentId=${environment}`, '-')
  const nothing = await component('no-such', 'no-such')
  expect(await component('Target', 'host')).toBe(nothing)
  expect(await component('Target', 'no-such')).toBe(nothing)
})

test('nor over GraphQL: HTTP, WebSocket and Server-Sent Events', () =>
  expectNoEffect(async () => {
    const input = { contextId: 'closed', credentials, wait: true }
    const component = { componentName: 'Target', environmentId: 'host', credentials, wait: true }
    const asked: [string, object][] = [
      [EXECUTE.replace('FIELD', 'execute'), input],
      [EXECUTE.replace('FIELD', 'executeWithoutSignIn'), input],
      [EXECUTE_COMPONENT, component],
    ]
    for (const [query, variables] of asked) {
      const inline = inlined(query, variables)
      expect(await client.graphql(inline, {})).toMatchObject({ code: 'UNAUTHENTICATED' })
      expect(await client.graphql(inline, INVENTED)).toMatchObject({ code: 'UNAUTHENTICATED' })
      expect(JSON.stringify(await client.overSocket({}, inline))).toContain('UNAUTHENTICATED')
      const stream = await fetch(`${assay.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: inline }),
      })
      expect(await stream.text()).toContain('UNAUTHENTICATED')
    }
  }))

test('a reader, and a token with other scopes, run nothing, open or not', async () => {
  const reader = await client.account('attacker@example.com', 'READER')
  const scopes = ['artifacts:write', 'executions:read', 'events:write']
  const { secret } = await client.token(admin, scopes)
  await expectNoEffect(async () => {
    for (const signIn of [reader.headers, { token: secret }] as Headers[])
      for (const id of ['open', 'all-open', ...CLOSED])
        for (const path of [`/noauth/execute/${id}`, `/execute/${id}`, COMPONENT])
          expect(await client.rest('POST', path, { ...INVENTED, ...signIn })).toMatchObject({
            status: 403,
          })
  })
})

test('a sign-in that is not valid is no way around, also where none is needed', () =>
  expectNoEffect(async () => {
    for (const headers of [{ token: 'wrong' }, basic('root', 'invented')] as Headers[])
      for (const path of ['/noauth/execute/open', COMPONENT])
        expect((await client.rest('POST', path, { ...INVENTED, ...headers })).status).toBe(401)
  }))

test('what looks without running takes the right to look', () =>
  expectNoEffect(async () => {
    const scenario = { steps: [{ id: 'a', command: { program: 'touch', args: [marker] } }] }
    const VALIDATE =
      'query ($scenario: ScenarioInput!) { validateScenario(scenario: $scenario) { isValid } }'
    const EVALUATE = `{ evaluateExpectation(input: { expectation: { assert: "exists" }, actual: 1 }) { isMet } }`
    expect(await client.graphql(VALIDATE, INVENTED, { scenario })).toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    expect(await client.graphql(EVALUATE, INVENTED)).toMatchObject({ code: 'UNAUTHENTICATED' })
  }))

test('one who has signed in to run runs by flag or by credentials, and in the own name', async () => {
  const runner = await client.account('run@example.com', 'RUNNER')
  const call = (id: string, more: Headers) =>
    client.rest('POST', `/noauth/execute/${id}?synchron=true`, { ...runner.headers, ...more })
  expect(await call('loan-schedule', {})).toMatchObject({ status: 403 })
  for (const [id, more] of [
    ['open', {}],
    ['loan-schedule', INVENTED],
  ] as const)
    expect(await call(id, more)).toMatchObject({
      status: 200,
      body: { state: 'COMPLETED', executedBy: 'run@example.com' },
    })
})

test('what is open runs for strangers as anonymous, and shows them no source', async () => {
  const DETAILS = 'query ($id: ID!) { executionResult(id: $id) { codeCoverage { sourceCode } } }'
  const begun = await client.rest('POST', '/noauth/execute/all-open?synchron=true', {
    credentials: btoa(`${ADMIN}:invented`),
  })
  expect(begun).toMatchObject({
    status: 200,
    body: { executedBy: 'anonymous', testCaseResults: [{ executedBy: 'anonymous' }] },
  })
  const { id, testCaseResults } = begun.body
  const { token } = (await client.rest('POST', '/authenticate', admin)).body
  for (const each of [id, testCaseResults[0].id]) {
    const details = await client.rest('GET', `/result/${each}/details`)
    expect(details.body.codeCoverage).toMatchObject([
      { sourceCode: '', hitLines: expect.any(Array) },
    ])
    expect(JSON.stringify(details.body)).not.toContain('export ')
    expect(await client.run(DETAILS, {}, { id: each })).toEqual({
      executionResult: { codeCoverage: [{ sourceCode: null }] },
    })
    const shown = await client.rest('GET', `/result/${each}/details`, { token })
    expect(shown.body.codeCoverage[0].sourceCode).toContain('export ')
  }
})

describe('a product with the default settings of AUTH_MODE=users', () => {
  let careful: Assay
  beforeAll(async () => {
    careful = await startAssay({ mode: 'in-process', env: USERS_ENV })
    client = new Client(careful.url)
    await storeTargets()
  })
  afterAll(() => careful?.stop())

  test('starts no program, whoever executes what', () =>
    expectNoEffect(async () => {
      const headers = { ...admin, ...INVENTED }
      for (const id of ['closed', 'mixed', 'leads-deeper'])
        expect(await client.rest('POST', `/execute/${id}`, headers)).toMatchObject({
          status: 403,
          body: { message: expect.stringContaining('COMMAND_STEPS=on') },
        })
      expect(await client.rest('POST', COMPONENT, headers)).toMatchObject({ status: 403 })
    }))
})

/** An operation with its input written into it, as some transports carry no variables here. */
function inlined(query: string, input: object): string {
  const written = JSON.stringify(input).replace(/"(\w+)":/g, '$1:')
  return query.replace(/\(\$input: \w+!\)/, '').replace('$input', written)
}
