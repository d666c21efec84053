import {
  type Data,
  type RunningArtifacts,
  refusal,
  runArtifacts,
} from '../../support/artifacts/running-artifacts.ts'
import { createSamples } from '../../support/artifacts/sample-artifacts.ts'

let repository: RunningArtifacts
beforeAll(async () => {
  repository = await runArtifacts()
  await createSamples(repository)
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
    ['components', { description: '' }, ['c1']],
    ['components', { description: ['', 'back*'] }, ['c1', 'c3']],
    ['components', { description: '*' }, ['c1', 'c2', 'c3']],
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
    ['components', { created: '0001-01-01T00:00:00+01:00' }, /^filter\.created: expected a time/],
    ['components', { updated: '9999-12-31T23:59:59-01:00' }, /^filter\.updated: expected a time/],
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
