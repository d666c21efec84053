import type { FetchNode, PlanNode } from '@apollo/query-planner'
import { inOrder } from '../../../../../gateway/federation/apollo-fixes/unordered-fetches.ts'

/** A fetch of some fields of an entity, by others of it. */
function fetching(selected: string, by: string[] = [], path = ['ps', '@']): PlanNode {
  const selections = by.map((name) => ({ kind: 'Field', name }) as const)
  const requires = [{ kind: 'InlineFragment', typeCondition: 'P', selections } as const]
  const fetch: Partial<FetchNode> = {
    ...{ kind: 'Fetch', serviceName: selected, variableUsages: [], requires },
    operation: `query ($r: [_Any!]!) { _entities(representations: $r) { ... on P { ${selected} } } }`,
  }
  return { kind: 'Flatten', path, node: fetch as FetchNode }
}

const start = {
  ...{ kind: 'Fetch', serviceName: 'start', variableUsages: [] },
  operation: '{ ps { id } }',
} as unknown as FetchNode

const sequence = (...nodes: PlanNode[]): PlanNode => ({ kind: 'Sequence', nodes })
const parallel = (...nodes: PlanNode[]): PlanNode => ({ kind: 'Parallel', nodes })

const x = fetching('x', ['id'])
const y = fetching('y', ['x'])
const z = fetching('z', ['id'])

test('what waits for nothing beside it stays beside it', () => {
  const plan = sequence(start, parallel(sequence(x, y), z))
  expect(inOrder(plan)).toEqual(plan)
})

test('a fetch follows the one beside it that gathers what it requires, and only that fetch', () => {
  expect(inOrder(sequence(start, parallel(y, x, z)))).toEqual(
    sequence(start, sequence(parallel(x, z), y)),
  )
})

test('a fetch within a branch lets its branch begin', () => {
  const after = fetching('after', ['y', 'z'])
  expect(inOrder(sequence(start, parallel(sequence(z, after), sequence(x, y))))).toEqual(
    sequence(start, sequence(parallel(z, x), y, after)),
  )
})

test('what was gathered before, or is gathered at another path, is not waited for', () => {
  const again = fetching('id x', ['id'])
  const elsewhere = fetching('x', ['id'], ['others', '@'])
  for (const plan of [
    sequence(start, x, parallel(again, y)),
    sequence(start, parallel(elsewhere, y)),
  ])
    expect(inOrder(plan)).toEqual(plan)
})

test('two that wait for each other begin as they were planned', () => {
  const one = fetching('one', ['two'])
  const two = fetching('two', ['one'])
  expect(inOrder(parallel(one, two))).toEqual(sequence(parallel(one, two)))
})

test('fetches on a condition and of deferred parts are ordered, too', () => {
  const withEach = (node: PlanNode): PlanNode[] => [
    { kind: 'Condition', condition: 'c', ifClause: node, elseClause: node },
    {
      kind: 'Defer',
      primary: { subselection: '{ id }', node: z },
      deferred: [{ depends: [], queryPath: [], subselection: '{ x y }', node }],
    },
  ]
  const ordered = withEach(sequence(x, y)).map((node) => sequence(start, node))
  expect(withEach(parallel(y, x)).map((node) => inOrder(sequence(start, node)))).toEqual(ordered)
})
