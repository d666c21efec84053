import { buildSchema, parse, validate } from 'graphql'
import { DOCUMENT_RULES } from '../../../subgraphs/platform/document-rules.ts'

const schema = buildSchema(`
  scalar Time
  enum Colour { RED BLUE }
  input Login { user: String! password: String at: Time colour: Colour logins: [Login!] }
  type Query { in(login: Login, count: Int): Int }`)
const time = schema.getType('Time') as { parseLiteral?: unknown }
time.parseLiteral = () => {
  throw new TypeError('no time: hush')
}

test.each([
  ['login: { user: "u", password: ["hush"] }', 'Expected value of type "String".'],
  ['login: { user: "u", password: hush }', 'Expected value of type "String".'],
  ['login: { user: { name: "hush" } }', 'Expected value of type "String!".'],
  ['login: "hush"', 'Expected value of type "Login".'],
  ['count: "hush"', 'Expected value of type "Int".'],
  ['login: { user: "u", at: "hush" }', 'Expected value of type "Time".'],
  ['login: { user: "u", colour: "hush" }', 'Expected value of type "Colour".'],
  ['login: { user: null, password: "hush" }', 'Expected value of type "String!", found null.'],
  [
    'login: { password: "hush" }',
    'Field "Login.user" of required type "String!" was not provided.',
  ],
  [
    'login: { user: "u", passwrd: "hush" }',
    'Field "passwrd" is not defined by type "Login". Did you mean "password"?',
  ],
  [
    'login: { user: "u", colour: READ }',
    'Value "READ" does not exist in "Colour" enum. Did you mean the enum value "RED"?',
  ],
])('a literal that does not fit is not repeated: %s', (given, message) => {
  const [error, ...others] = validate(schema, parse(`{ in(${given}) }`), DOCUMENT_RULES)
  expect(error?.message).toBe(message)
  expect(error?.locations).toHaveLength(1)
  expect(others).toEqual([])
})
