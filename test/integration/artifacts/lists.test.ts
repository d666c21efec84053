import {
  type Data,
  type RunningArtifacts,
  refusal,
  runArtifacts,
  SCENARIO,
} from './_support/running-artifacts.ts'

let repository: RunningArtifacts
beforeAll(async () => {
  repository = await runArtifacts()
  const { create } = repository
  await create('Environment', {
    id: 'stage',
    name: 'Stage',
    variables: { zone: 'north', port: 8080, tls: true },
    secrets: [{ name: 'TOKEN', value: 'x' }],
  })
  await create('Environment', { id: 'dev', name: 'Dev_1', runners: ['CALL'] })
  await create('Component', { id: 'c1', name: 'First', sourceCode: 'export {}' })
  await create('Component', { id: 'c2', name: 'first', sourceCode: '', description: 'two * two' })
  await create('Component', {
    id: 'c3',
    name: '100 %',
    sourceCode: '',
    description: 'back\\slash',
    language: 'TYPESCRIPT',
    environment: 'stage',
  })
  const steps = [
    { id: 'one', optional: true, wait: { ms: 1 } },
    { id: 'two', wait: { ms: 2 } },
  ]
  await create('TestCase', {
    id: 't1',
    name: 'A',
    componentUnderTest: 'c1',
    tags: ['smoke', 'fast'],
    scenario: { steps, timeoutMs: 5000 },
  })
  await create('TestCase', {
    id: 't2',
    name: 'B',
    componentUnderTest: 'c1',
    tags: ['slow'],
    useCodeCoverage: false,
    environment: 'stage',
    scenario: SCENARIO,
  })
  await create('TestCase', { id: 't3', name: 'C', componentUnderTest: 'c2', scenario: SCENARIO })
  await create('Suite', { id: 's1', name: 'S', testCases: ['t2', 't1'], maxParallel: 3 })
  await create('Suite', { id: 's2', name: 'T', testCases: ['t1'] })
})
afterAll(() => repository.stop())

const LIST = (field: string) => `query ($filter: JSONObject, $sort: [SortInput!]) {
  list: ${field}(filter: $filter, sort: $sort) { totalCount nodes { id } } }`

async function ids(field: string, filter?: object, sort?: object[]): Promise<string[]> {
  const { list } = await repository.run(LIST(field), { filter, sort })
  expect(list.totalCount).toBe(list.nodes.length)
  return list.nodes.map(({ id }: Data) => id)
}

describe('a filter finds', () => {
  test.each<[string, object, string[]]>([
    ['components', {}, ['c1', 'c2', 'c3']],
    ['components', { name: 'First' }, ['c1']],
    ['components', { name: 'FIRST' }, []],
    ['components', { name: '*irst' }, ['c1', 'c2']],
    ['components', { name: '*%' }, ['c3']],
    ['components', { name: '1__ %' }, []],
    ['environments', { name: 'Dev_*' }, ['dev']],
    ['components', { description: 'two \\* two' }, ['c2']],
    ['components', { description: '*\\**' }, ['c2']],
    ['components', { description: 'back\\slash' }, ['c3']],
    ['components', { description: 'back\\\\*' }, ['c3']],
    ['components', { description: null }, ['c1']],
    ['components', { description: [null, 'back*'] }, ['c1', 'c3']],
    ['components', { id: ['c1', 'c3', 'nobody'] }, ['c1', 'c3']],
    ['components', { name: [] }, []],
    ['components', { revision: 1, id: 'c1' }, ['c1']],
    ['components', { revision: [2, 3.5] }, []],
    ['components', { created: '20*' }, ['c1', 'c2', 'c3']],
    ['components', { created: '2001-01-01T00:00:00.000+0000' }, []],
    ['components', { language: 'TYPESCRIPT' }, ['c3']],
    ['components', { language: '*SCRIPT', name: '*irst' }, ['c1', 'c2']],
    ['components', { environment: 'stage' }, ['c3']],
    ['components', { environment: null }, ['c1', 'c2']],
    ['testCases', { tags: 'smoke' }, ['t1']],
    ['testCases', { tags: 's*' }, ['t1', 't2']],
    ['testCases', { tags: ['fast', 'slow'] }, ['t1', 't2']],
    ['testCases', { tags: ['fast', null] }, ['t1', 't3']],
    ['testCases', { tags: null }, ['t3']],
    ['testCases', { useCodeCoverage: false }, ['t2']],
    ['testCases', { useCodeCoverage: [true, false], componentUnderTest: 'c1' }, ['t1', 't2']],
    ['testCases', { scenario: { timeoutMs: 5000 } }, ['t1']],
    ['testCases', { scenario: { timeoutMs: null } }, ['t2', 't3']],
    ['testCases', { scenario: { steps: { id: 'pause' } } }, ['t2', 't3']],
    ['testCases', { scenario: { steps: { id: 'one', optional: true } } }, ['t1']],
    ['testCases', { scenario: { steps: { id: 'two', optional: true } } }, []],
    ['testCases', { scenario: { steps: { id: ['two', 'pa*'] } } }, ['t1', 't2', 't3']],
    ['testCases', { scenario: { steps: { wait: { ms: 2 } } } }, ['t1']],
    ['testCases', { scenario: { "it's": { '"$.*?(@)': '%' } } }, []],
    ['suites', { testCases: 't1' }, ['s1', 's2']],
    ['suites', { maxParallel: 3 }, ['s1']],
    ['environments', { variables: { zone: 'n*' } }, ['stage']],
    ['environments', { variables: { port: 8080, tls: true } }, ['stage']],
    ['environments', { variables: { port: '8080' } }, []],
    ['environments', { secrets: { name: 'TOKEN' } }, ['stage']],
    ['environments', { secrets: null }, ['dev']],
    ['environments', { runners: ['COMMAND', 'HTTP'] }, ['stage']],
  ])('of %s %j: %j', async (field, filter, expected) => {
    expect(await ids(field, filter)).toEqual(expected)
  })
})

test('a list shows of each artifact what reading it shows', async () => {
  const fields =
    'id name description revision created updated variables secrets { name } baseUrl runners'
  const { list, one } = await repository.run(`{
    list: environments(filter: { id: "stage" }) { nodes { ${fields} } }
    one: environment(id: "stage") { ${fields} }
  }`)
  expect(list.nodes).toEqual([one])
})

describe('a filter is refused', () => {
  test.each<[string, object, string | RegExp]>([
    ['components', { colour: 'red' }, 'filter.colour: no such attribute'],
    ['components', { toString: 'x' }, 'filter.toString: no such attribute'],
    ['components', { tags: 'x' }, 'filter.tags: no such attribute'],
    ['components', { name: 5 }, 'filter.name: expected string'],
    ['components', { name: ['a', true] }, 'filter.name.1: expected string'],
    ['components', { name: [['a']] }, 'filter.name.0: expected no list within a list'],
    ['components', { name: { first: 'a' } }, 'filter.name: expected string'],
    ['components', { revision: '1' }, 'filter.revision: expected number'],
    ['components', { created: 'yesterday' }, /^filter\.created: expected a time such as/],
    ['components', { name: 'a\0b' }, /^filter\.name: expected text without NUL/],
    ['components', { name: '\ud800' }, /^filter\.name: expected text/],
    ['testCases', { useCodeCoverage: 'true' }, 'filter.useCodeCoverage: expected boolean'],
    ['testCases', { tags: { a: 'b' } }, 'filter.tags: expected string'],
    ['testCases', { scenario: 'x' }, 'filter.scenario: expected object'],
    ['environments', { secrets: { value: 'x*' } }, 'filter.secrets.value: no such attribute'],
    ['environments', { sealed: {} }, 'filter.sealed: no such attribute'],
    ['environments', { variables: { a: { b: 1 } } }, /^filter\.variables\.a: expected/],
  ])('of %s %j: %s', async (field, filter, message) => {
    await expect(ids(field, filter)).rejects.toMatchObject(refusal('BAD_USER_INPUT', message))
  })
})

test('a filter of too many values is refused', async () => {
  await expect(ids('components', { name: Array(1_001).fill('x') })).rejects.toMatchObject(
    refusal('BAD_USER_INPUT', 'filter: expected at most 1000 values in all'),
  )
})

describe('a list is sorted', () => {
  const by = (attribute: string, direction?: string) => ({
    attribute,
    ...(direction && { direction }),
  })

  test.each<[string, object[], string[]]>([
    ['components', [], ['c1', 'c2', 'c3']],
    ['components', [by('id', 'DESC')], ['c3', 'c2', 'c1']],
    ['components', [by('name')], ['c3', 'c1', 'c2']],
    ['components', [by('description')], ['c3', 'c2', 'c1']],
    ['components', [by('description', 'DESC')], ['c1', 'c2', 'c3']],
    ['components', [by('revision')], ['c1', 'c2', 'c3']],
    ['components', [by('created', 'DESC'), by('id', 'DESC')], ['c3', 'c2', 'c1']],
    ['testCases', [by('componentUnderTest', 'DESC'), by('name', 'DESC')], ['t3', 't2', 't1']],
    ['testCases', [by('useCodeCoverage'), by('id', 'DESC')], ['t2', 't3', 't1']],
    ['testCases', [by('environment')], ['t2', 't1', 't3']],
    ['suites', [by('maxParallel', 'DESC')], ['s1', 's2']],
    ['testCases', [by('tags'), by('scenario')], ['t3', 't2', 't1']],
  ])('%s by %j: %j', async (field, sort, expected) => {
    expect(await ids(field, {}, sort)).toEqual(expected)
  })

  test('but not by what the kind does not have', async () => {
    await expect(ids('suites', {}, [by('sourceCode')])).rejects.toMatchObject(
      refusal('BAD_USER_INPUT', 'sort.sourceCode: no such attribute'),
    )
  })
})

describe('references lead both ways', () => {
  test('from a suite to its scenarios in order, and back', async () => {
    const data = await repository.run(`{
      suite(id: "s1") { testCases { id name componentUnderTest { name } } }
      testCase(id: "t1") { suites { nodes { id } totalCount } environment { id } }
      component(id: "c1") { testCases(filter: { tags: "slow" }) { nodes { id environment { name } } } }
    }`)
    expect(data.suite.testCases).toEqual([
      { id: 't2', name: 'B', componentUnderTest: { name: 'First' } },
      { id: 't1', name: 'A', componentUnderTest: { name: 'First' } },
    ])
    expect(data.testCase).toEqual({
      suites: { nodes: [{ id: 's1' }, { id: 's2' }], totalCount: 2 },
      environment: null,
    })
    expect(data.component.testCases.nodes).toEqual([{ id: 't2', environment: { name: 'Stage' } }])
  })
})
