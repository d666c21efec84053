import { type DocumentNode, parse, print } from 'graphql'
import { planBySplitting } from '../../../../../gateway/federation/apollo-fixes/nested-conditions.ts'

const QUERY = 'query ($a: Boolean!, $b: Boolean!) { p { x @include(if: $a) { y @skip(if: $b) } } }'

test('an operation that the planner throws on is planned for each value of a condition', () => {
  const planned: string[] = []
  const node = planBySplitting(parse(QUERY), (document: DocumentNode) => {
    const text = print(document).replace(/\s+/g, ' ')
    if (text.includes('@include') && text.includes('@skip'))
      throw new Error('Invalid empty selection')
    planned.push(text.slice(text.indexOf('{')))
    return { kind: 'Sequence', nodes: [] }
  })
  expect(node).toEqual({
    kind: 'Condition',
    condition: 'a',
    ifClause: { kind: 'Sequence', nodes: [] },
    elseClause: { kind: 'Sequence', nodes: [] },
  })
  expect(planned).toEqual(['{ p { x { y @skip(if: $b) } } }', '{ p { __typename } }'])
})

test('an error that clients may read is not tried again', () => {
  const refusal = Object.assign(new Error('too many'), { extensions: { code: 'LIMIT' } })
  let asked = 0
  const plan = () => {
    asked++
    throw refusal
  }
  expect(() => planBySplitting(parse(QUERY), plan)).toThrow(refusal)
  expect(asked).toBe(1)
})
