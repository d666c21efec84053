import { buildSchema, getVariableValues, type OperationDefinitionNode, parse } from 'graphql'
import { bodyFault, variableFault } from '../../../formats/variable-fault.ts'

const schema = buildSchema(`
  enum Colour { RED BLUE }
  input Part { name: String! size: Int }
  input Thing { name: String! parts: [Part!] colour: Colour on: Boolean id: ID }
  type Query { thing(input: Thing!): Int }`)
const operation = parse('query ($input: Thing!) { thing(input: $input) }')
  .definitions[0] as OperationDefinitionNode

/** First error of GraphQL about a value. */
function said(input: unknown): string {
  const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], { input })
  return errors?.[0]?.message ?? ''
}

test.each<[unknown, string]>([
  [{}, 'name: it is missing'],
  [{ name: 5 }, 'name: expected String'],
  [{ name: null }, 'name: expected String, not null'],
  [{ name: 'a', size: 1 }, 'size: no such attribute'],
  [{ name: 'a', 'x"y': 'hush' }, 'x"y: no such attribute'],
  [{ name: 'a', parts: [{ name: 'b' }, {}] }, 'parts[1].name: it is missing'],
  [{ name: 'a', parts: [{ name: 'b', size: 'hush' }] }, 'parts[0].size: expected Int'],
  [{ name: 'a', parts: ['hush'] }, 'parts[0]: expected Part'],
  [{ name: 'a', colour: 'hush' }, 'colour: expected Colour'],
  [{ name: 'a', colour: 7 }, 'colour: expected Colour'],
  [{ name: 'a', on: 'hush' }, 'on: expected Boolean'],
  [{ name: 'a', id: {} }, 'id: expected ID'],
  ['hush', 'The request body: expected Thing'],
])('%j: %s', (input, message) => {
  const fault = variableFault(said(input))
  expect(bodyFault(fault)).toBe(message)
  expect(fault).toMatch(/^\$input[.:]/)
  expect(fault).not.toContain('hush')
})

test.each([
  [{ name: 'a', colour: 'hush' }, 'colour: expected RED or BLUE'],
  [{ name: 'a', colour: 7 }, 'colour: expected RED or BLUE'],
  [{ name: 5 }, 'name: expected String'],
])('%j names the values of an enum to those who do not know its type: %s', (input, message) => {
  const fault = variableFault(said(input), (type) => (type === 'Colour' ? ['RED', 'BLUE'] : []))
  expect(bodyFault(fault)).toBe(message)
})

test.each([
  [
    'Variable "$i" got invalid value "hush"; a scalar has words of its own',
    '$i: expected another value',
  ],
  ['Argument "input" has invalid value {password: "hush"}.', 'input: expected another value'],
])('%s: %s', (message, fault) => {
  expect(variableFault(message)).toBe(fault)
})

test('a fault in a list of its own names the list', () => {
  expect(bodyFault('$ids[1]: expected ID')).toBe('ids[1]: expected ID')
})

test('a fault in a variable of its own names the field', () => {
  expect(bodyFault('$scenario: expected ScenarioInput, not null')).toBe(
    'scenario: expected ScenarioInput, not null',
  )
})

test('any other message stays as it is', () => {
  const other = 'No suite has the id "a"; Field "b"'
  expect(bodyFault(variableFault(other))).toBe(other)
})
