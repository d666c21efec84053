import { type Data, type RunningEvents, runEvents } from '../../support/events/running-events.ts'

/** Requests of clients in the field: each is a habit that ingestion has to live with. */
let events: RunningEvents
beforeAll(async () => {
  events = await runEvents()
})
afterAll(() => events.stop())

const READ = `query ($id: ID!) { event(id: $id) {
  title severity status timesSeen tags firstSeenAt fingerprintFields properties } }`
const store = async (item: object): Promise<Data> => {
  const { accepted } = await events.ingest([item])
  const { id } = accepted[0]
  return { id, ...(await events.run(READ, { id })).event }
}

test('an importer sends times as epoch seconds in text, and keeps what was accepted of a bad list', async () => {
  const item = {
    title: 'TASK-7',
    eventClass: 'Tracker',
    fingerprintFields: ['project', 'task'],
    source: { ref: 'tracker', type: 'application', name: 'Tracker' },
    properties: { project: 'p', task: 'TASK-7' },
    createdAt: '1506251154',
  }
  const { title: _, ...untitled } = item
  const result = await events.ingest([item, untitled])
  expect(result).toMatchObject({
    success: 'PARTIAL',
    errors: [{ index: 1, message: 'The required field was missing: [title]' }],
  })
  const { event } = await events.run(READ, { id: result.accepted[0].id })
  expect(event.firstSeenAt).toBe('2017-09-24T11:05:54.000Z')
})

test('a monitoring system sends the state of its check as severity', async () => {
  const check = { title: 'disk', fingerprintFields: ['check'], properties: { check: 'db1-disk' } }
  expect(await store({ ...check, severity: 'UNKNOWN', status: 'OPEN' })).toMatchObject({
    severity: 'UNKNOWN',
  })
})

test('a command line sends severities in lower case and never a status', async () => {
  expect(
    await store({ title: 'cli', severity: 'info', fingerprintFields: ['@title'] }),
  ).toMatchObject({ severity: 'INFO', status: 'OK' })
})

test('a build server names properties with blanks in the fingerprint', async () => {
  const build = (name: string) => ({
    title: 'Build failed',
    fingerprintFields: ['build name'],
    source: { ref: 'ci', type: 'builds' },
    properties: { 'build name': name, 'build number': '#12' },
  })
  const [one, other] = [await store(build('one')), await store(build('other'))]
  expect(one.id).not.toBe(other.id)
})

test('a configuration tool reports failure, then success, under one fingerprint', async () => {
  const converge = (fields: object) => ({
    fingerprintFields: ['run'],
    source: { ref: 'web1', type: 'host' },
    properties: { run: 'converge', roles: [], resources: ['recipe[web]'] },
    organization: 'ours',
    ...fields,
  })
  const failed = await store(
    converge({ title: 'Run failed', severity: 'ERROR', status: 'OPEN', tags: ['failure'] }),
  )
  const passed = await store(
    converge({ title: 'Run passed', severity: 'INFO', status: 'CLOSED', tags: ['success'] }),
  )
  expect(passed).toMatchObject({
    id: failed.id,
    title: 'Run passed',
    severity: 'INFO',
    status: 'CLOSED',
    tags: ['success'],
    timesSeen: 2,
  })
})

test('a client posts a whole stored event again', async () => {
  const { id, ...stored } = await store({ title: 'stored', severity: 'WARN' })
  expect(await store({ ...stored, id, fingerprint: 'x', timesSeen: 99 })).toMatchObject({
    id,
    severity: 'WARN',
    timesSeen: 2,
  })
})
