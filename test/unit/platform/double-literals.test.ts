import { parse } from 'graphql'
import { requireDoubles } from '../../../platform/subgraph/double-literals.ts'

const refusing = (document: string) => () => requireDoubles(parse(document, { noLocation: true }))

test.each([
  ['{ a(n: 9007199254740993) }', 'n: 9007199254740993 would lose digits'],
  [
    'mutation { a(input: { steps: [{}, { args: [[1, 9007199254740993]] }] }) { b } }',
    'input.steps[1].args[0][1]: 9007199254740993 would lose digits',
  ],
  ['{ a { b(x: { n: -1e400 }) } }', 'x.n: -1E+400 is outside the range'],
])('%s is refused at the place of the number', (document, message) => {
  expect(refusing(document)).toThrow(message)
})

test('literals that doubles keep, and fractions, are not refused', () => {
  expect(
    refusing('{ a(n: [9007199254740991, 1e21, 0.1000000000000000055], s: "9007199254740993") }'),
  ).not.toThrow()
})
