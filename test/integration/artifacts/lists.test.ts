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

test('a list shows of each artifact what reading it shows', async () => {
  const fields =
    'id name description revision created updated variables secrets { name } baseUrl runners'
  const { list, one } = await repository.run(`{
    list: environments(filter: { id: "stage" }) { nodes { ${fields} } }
    one: environment(id: "stage") { ${fields} }
  }`)
  expect(list.nodes).toEqual([one])
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
    ['components', [by('description')], ['c1', 'c3', 'c2']],
    ['components', [by('description', 'DESC')], ['c2', 'c3', 'c1']],
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
