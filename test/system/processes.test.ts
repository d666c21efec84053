import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { readUntil } from '../conformance/calls.ts'
import { type Assay, startAssay } from '../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, USERS_ENV } from '../support/e2e/users.ts'
import { eventually } from '../support/eventually.ts'
import { descendantsOf, survivorsOf } from '../support/process-tree.ts'
import { pathOf } from '../support/system/programs.ts'

const PER_MINUTE = 40
/** More rounds than processes, so that each of them is asked. */
const ROUNDS = 12

let assay: Assay
beforeAll(async () => {
  assay = await startAssay({
    mode: 'in-process',
    env: { ...USERS_ENV, PROCESSES: '2', EVENTS_PER_MINUTE: String(PER_MINUTE) },
  })
})
afterAll(() => assay?.stop())

const SIGNED_IN = basic(ADMIN, ADMIN_PASSWORD)
const CREDENTIALS = { ...SIGNED_IN, credentials: SIGNED_IN.authorization.replace('Basic ', '') }

/** Over a connection of its own: the primary gives connections to the processes in turn. */
async function open(path: string, headers: object, body?: unknown): Promise<IncomingMessage> {
  const asked = request(assay.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  })
  asked.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response
}

async function call(path: string, headers: object, body?: unknown) {
  const response = await open(path, headers, body)
  return { status: response.statusCode, body: await text(response) }
}

async function graphql(query: string, variables: object = {}) {
  const { body } = await call('/graphql', SIGNED_IN, { query, variables })
  const { data, errors } = JSON.parse(body)
  if (errors) throw new Error(body)
  return data
}

const send = async (titles: readonly string[], headers = SIGNED_IN) => {
  const events = titles.map((title) => ({ title }))
  return (await call('/api/v1/events', headers, events)).status
}

/** The operating system's ids of the processes by their numbers; the last one that wrote to the log. */
const pidOf = (number: number): number =>
  Number(
    [...assay.logs().matchAll(/"pid":(\d+),[^}]*?"process":(\d)/g)].findLast(
      ([, , found]) => Number(found) === number,
    )?.[1],
  )

test('a caller reads its writes at every process, also while others read the same', async () => {
  const CREATE =
    'mutation ($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }'
  const RENAME =
    'mutation ($input: UpdateEnvironmentInput!) { updateEnvironment(input: $input) { id } }'
  const READ = '{ environment(id: "shared") { name } }'
  const write = (name: string) => graphql(RENAME, { input: { id: 'shared', name } })
  await graphql(CREATE, { input: { id: 'shared', name: 'new' } })
  let isOver = false
  const others = Array.from({ length: 4 }, async () => {
    while (!isOver) await graphql(READ)
  })
  for (let round = 0; round < ROUNDS; round++) {
    await write(`round ${round}`)
    const read = await Promise.all([graphql(READ), graphql(READ), graphql(READ), graphql(READ)])
    for (const { environment } of read) expect(environment.name).toBe(`round ${round}`)
  }
  isOver = true
  await Promise.all(others)
  for (const number of [1, 2]) expect(pidOf(number)).toBeGreaterThan(0)
})

test('lines of a subgraph have its name once, and the number of their process', async () => {
  await graphql('{ component(id: "loan-schedule") { name } }')
  expect(assay.logs()).toMatch(/"process":1,"name":"test-execution"/)
  expect(assay.logs()).not.toMatch(/"name":"[^"]*","name":/)
})

test('failed sign-ins and events of a sender are counted by all processes together', async () => {
  const wrong = basic('guessed@example.com', 'not-the-password')
  const guesses: (number | undefined)[] = []
  for (let guess = 0; guess < 12; guess++)
    guesses.push((await call('/api/testcase/loan-schedule', wrong)).status)
  expect(guesses).toEqual([...Array(10).fill(401), 429, 429])
  const ten = Array.from({ length: 10 }, (_, index) => `event ${index}`)
  const sent: (number | undefined)[] = []
  for (let round = 0; round < PER_MINUTE / 10 + 2; round++) sent.push(await send(ten))
  expect(sent.filter((status) => status === 429)).toHaveLength(2)
})

test('the metrics of any process are those of all', async () => {
  for (let round = 0; round < 3; round++) {
    // A page omits what a process does not tell soon.
    const body = await eventually(async () => {
      const page = (await call('/metrics', SIGNED_IN)).body
      for (const number of [1, 2])
        expect(page).toContain(`assay_http_connections{process="${number}"}`)
      return page
    })
    const promtool = spawnSync(pathOf('promtool'), ['check', 'metrics'], { input: body })
    expect([promtool.status, String(promtool.stdout)]).toEqual([0, ''])
  }
})

const KEPT =
  'subscription Kept($after: String) { eventReceived(after: $after) { cursor rawEvent { title } } }'

/** Reads a stream until it has this many titles or is lost. @returns the titles and the last cursor */
async function received(after: string, count: number, onOpen = async () => {}) {
  const accept = { ...SIGNED_IN, accept: 'text/event-stream' }
  const response = await open('/graphql', accept, { query: KEPT, variables: { after } })
  await onOpen()
  let [read, cursor] = ['', after]
  const titles: string[] = []
  try {
    for await (const chunk of response) {
      const lines = `${read}${chunk}`.split('\n')
      read = lines.pop() ?? ''
      for (const line of lines.filter((each) => each.startsWith('data: {'))) {
        const { eventReceived } = JSON.parse(line.slice('data: '.length)).data
        titles.push(eventReceived.rawEvent.title)
        cursor = eventReceived.cursor
      }
      if (titles.length >= count) break
    }
  } catch {
    // Its process was killed.
  }
  response.destroy()
  return { titles, cursor }
}

test('a stream goes on at another process when its own is killed, which is started again', async () => {
  const store = (titles: readonly string[]) =>
    graphql(
      'mutation ($input: IngestEventsInput!) { ingestEvents(input: $input) { accepted { eventId } } }',
      {
        input: { events: titles.map((title) => ({ title })) },
      },
    )
  const { eventCursor } = await graphql('{ eventCursor }')
  const isOpen = /^assay_graphql_subscriptions\{name="Kept",process="(\d)"\} 1$/m
  let killed = 0
  const before = await received(eventCursor, 99, async () => {
    await store(['one', 'two'])
    const { body } = await readUntil(
      () => call('/metrics', SIGNED_IN),
      ({ body }) => isOpen.test(body),
    )
    killed = Number(isOpen.exec(body)?.[1])
    process.kill(pidOf(killed), 'SIGKILL')
  })
  await store(['three'])
  const after = await received(before.cursor, 3 - before.titles.length)
  expect([...before.titles, ...after.titles]).toEqual(['one', 'two', 'three'])
  await assay.says('server', new RegExp(`"process":${killed},"msg":"Process started again"`))
})

test('SIGTERM loses no request that was accepted', async () => {
  const execute = () => call('/api/testcase/loan-schedule/execute?synchron=true', CREDENTIALS, {})
  expect(JSON.parse((await execute()).body)).toMatchObject({ state: 'COMPLETED' })
  const running = Array.from({ length: 6 }, execute)
  await readUntil(
    () => graphql('{ executionResults(first: 10) { nodes { id } } }'),
    ({ executionResults }) => executionResults.nodes.length === 7,
  )
  const seen = await descendantsOf([assay.pids.server ?? 0])
  expect(await assay.kill('server', 'SIGTERM')).toEqual({ code: 0, signal: null })
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect(await survivorsOf(seen)).toEqual([])
  await assay.restart('server')
})

test('no process serves on when the primary is killed, and the next start ends its database', async () => {
  const seen = await descendantsOf([assay.pids.server ?? 0])
  const ours = seen.filter(({ command }) => !command.includes('postgres'))
  expect(ours.length).toBeGreaterThanOrEqual(2)
  await assay.kill('server', 'SIGKILL')
  expect(await survivorsOf(ours)).toEqual([])
  await assay.restart('server')
  expect(await survivorsOf(seen)).toEqual([])
  expect(await graphql('{ environment(id: "shared") { id } }')).toEqual({
    environment: { id: 'shared' },
  })
})
