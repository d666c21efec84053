import { buildSchema, parse, validate } from 'graphql'
import { DOCUMENT_RULES } from '../../../formats/graphql/document-rules.ts'

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
  ['login: { user: "u", password: ["hush"] }', 'login.password: expected String'],
  ['login: { user: "u", password: hush }', 'login.password: expected String'],
  ['login: { user: { name: "hush" } }', 'login.user: expected String!'],
  ['login: "hush"', 'login: expected Login'],
  ['count: "hush"', 'count: expected Int'],
  ['login: { user: "u", at: "hush" }', 'login.at: expected Time'],
  ['login: { user: "u", colour: "hush" }', 'login.colour: expected Colour'],
  [
    'login: { user: "u", logins: [{ user: "v" }, { user: "w", at: "hush" }] }, count: 1',
    'login.logins.at: expected Time',
  ],
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
])(
  'the place of a literal that does not fit is named, and the literal not repeated: %s',
  (given, message) => {
    const [error, ...others] = validate(schema, parse(`{ in(${given}) }`), DOCUMENT_RULES)
    expect(error?.message).toBe(message)
    expect(error?.locations).toHaveLength(1)
    expect(others).toEqual([])
  },
)

test('a default value that does not fit has no place, and is not repeated', () => {
  const document = parse('query ($c: Int = "hush") { in(count: $c) }')
  const messages = validate(schema, document, DOCUMENT_RULES).map(({ message }) => message)
  expect(messages).toEqual(['Expected value of type "Int".'])
})
