import pg from 'pg'
import {
  type RunningArtifacts,
  refusal,
  runArtifacts,
  SCENARIO,
} from '../../support/artifacts/running-artifacts.ts'

let repository: RunningArtifacts
beforeAll(async () => {
  repository = await runArtifacts()
})
afterAll(() => repository.stop())

const component = (id: string, environment?: string) =>
  repository.create('Component', { id, name: id, sourceCode: '', environment })
const scenario = (id: string, componentUnderTest: string, environment?: string) =>
  repository.create('TestCase', {
    id,
    name: id,
    componentUnderTest,
    environment,
    scenario: SCENARIO,
  })
const remove = (type: string, id: string) =>
  repository.run(`mutation ($id: ID!) { delete${type}(id: $id) }`, { id })

test('what does not exist cannot be referred to', async () => {
  await component('known')
  await scenario('known', 'known')
  for (const [creation, message] of [
    [component('x', 'nowhere'), 'environment: no environment has the id nowhere'],
    [scenario('x', 'nothing'), 'componentUnderTest: no component has the id nothing'],
    [scenario('x', 'known', 'nowhere'), 'environment: no environment has the id nowhere'],
    [
      repository.create('Suite', { name: 'x', testCases: ['known', 'unknown'] }),
      'testCases: no testcase has the id unknown',
    ],
  ] as const)
    await expect(creation).rejects.toMatchObject(refusal('BAD_USER_INPUT', message))
  const { id } = await repository.create('Suite', { name: 'Of scenarios', testCases: ['known'] })
  await expect(
    repository.create('Suite', { name: 'Of suites', testCases: [id] }),
  ).rejects.toMatchObject(refusal('BAD_USER_INPUT', `testCases: no testcase has the id ${id}`))
  await expect(
    repository.run(
      `mutation ($id: ID!) { updateSuite(input: { id: $id, name: "y", testCases: ["gone"] }) { id } }`,
      { id },
    ),
  ).rejects.toMatchObject(refusal('BAD_USER_INPUT', 'testCases: no testcase has the id gone'))
})

test('what is in use cannot be deleted, and the refusal names the users', async () => {
  await repository.create('Environment', { id: 'used', name: 'used' })
  await component('used', 'used')
  await scenario('used', 'used', 'used')
  for (let at = 10; at < 22; at++)
    await repository.create('Suite', { id: `u${at}`, name: `u${at}`, testCases: ['used', 'used'] })
  await expect(remove('Environment', 'used')).rejects.toMatchObject(
    refusal('CONFLICT', 'The environment used is used by the component used, the testcase used'),
  )
  await expect(remove('Component', 'used')).rejects.toMatchObject(
    refusal('CONFLICT', 'The component used is used by the testcase used'),
  )
  await expect(remove('TestCase', 'used')).rejects.toMatchObject(
    refusal('CONFLICT', /^The testcase used is used by the suite u10, .*the suite u19 and 2 more$/),
  )
  for (let at = 10; at < 22; at++) await remove('Suite', `u${at}`)
  await remove('TestCase', 'used')
  await remove('Component', 'used')
  await remove('Environment', 'used')
})

test('a delete and a new reference that come together never both succeed', async () => {
  const rounds = Array.from({ length: 40 }, (_, at) => `race-${at}`)
  await Promise.all(rounds.map((id) => component(id)))
  const outcomes = await Promise.all(
    rounds.map(async (id, at) => {
      const race = [() => scenario(id, id), () => remove('Component', id)]
      const [first, second] = at % 2 ? race.reverse() : race
      const settled = await Promise.allSettled([first?.(), second?.()])
      return settled.filter(({ status }) => status === 'fulfilled').length
    }),
  )
  expect(outcomes).toEqual(rounds.map(() => 1))
  const dangling = await repository.sql(`
    select t.id from test_execution.artifact t where t.kind = 'testcase' and not exists (
      select from test_execution.artifact c
      where c.kind = 'component' and c.id = t.fields ->> 'componentUnderTest')`)
  expect(dangling).toEqual([])
})

describe('while another transaction is open', () => {
  let other: pg.Client
  beforeEach(async () => {
    other = new pg.Client({ connectionString: repository.url })
    await other.connect()
    await other.query('begin')
  })
  afterEach(() => other.end())

  /** Resolves once a statement of the product waits for a lock. */
  const waiting = async () => {
    while (
      (
        await repository.sql(`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`)
      ).length === 0
    );
  }

  test('a delete waits for the reference that it writes, and is then refused', async () => {
    await component('held')
    await other.query(`select from test_execution.artifact where id = 'held' for key share`)
    await other.query(`insert into test_execution.artifact
      (id_space, id, kind, name, revision, created, updated, fields)
      values ('executable', 'holder', 'testcase', 'holder', 1, now(), now(),
        '{"componentUnderTest": "held"}')`)
    const deletion = remove('Component', 'held')
    const refused = expect(deletion).rejects.toMatchObject(
      refusal('CONFLICT', 'The component held is used by the testcase holder'),
    )
    await waiting()
    await other.query('commit')
    await refused
  })

  test('a new reference waits for the delete, and is then refused', async () => {
    await component('going')
    await other.query(`select from test_execution.artifact where id = 'going' for update`)
    await other.query(`delete from test_execution.artifact where id = 'going'`)
    const refused = expect(scenario('late', 'going')).rejects.toMatchObject(
      refusal('BAD_USER_INPUT', 'componentUnderTest: no component has the id going'),
    )
    await waiting()
    await other.query('commit')
    await refused
  })
})

test('suites that share scenarios are written and renamed at once without a deadlock', async () => {
  await component('shared')
  const ids = Array.from({ length: 6 }, (_, at) => `shared-${at}`)
  for (const id of ids) await scenario(id, 'shared')
  const rename = (id: string, round: number) =>
    repository.run(
      `mutation ($input: UpdateTestCaseInput!) { updateTestCase(input: $input) { id } }`,
      { input: { id, name: `${id} ${round}`, componentUnderTest: 'shared', scenario: SCENARIO } },
    )
  const order = (round: number) => (round % 2 ? ids : ids.toReversed())
  await Promise.all(
    Array.from({ length: 12 }, (_, round) => [
      repository.create('Suite', { name: `shared ${round}`, testCases: order(round) }),
      ...order(round).map((id) => rename(id, round)),
    ]).flat(),
  )
})
