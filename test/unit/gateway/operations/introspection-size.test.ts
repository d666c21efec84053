import { buildSchema, getIntrospectionQuery, getOperationAST, parse } from 'graphql'
import { compileIntrospectionCheck } from '../../../../gateway/operations/introspection-size.ts'

const NAMES = Array.from({ length: 100 }, (_, at) => `T${at}`)

/** Each type leads to all others. */
const schema = buildSchema(`
  "A node." interface Node { id: ID! }
  type Query { ${NAMES.map((name) => `f${name}(a: [Int!]! = [1], b: In): ${name}!`).join(' ')} }
  ${NAMES.map((name) => `type ${name} implements Node { id: ID! one: ${name}! query: Query! }`).join(' ')}
  input In { a: Int = 1 b: [In!] }
`)

const excessOf = (text: string, variables = {}, name?: string) => {
  const document = parse(text)
  const operation = getOperationAST(document, name)
  if (!operation) throw new Error('no operation')
  return compileIntrospectionCheck({ schema, document, operation })(variables)
}

const deep = (below: string) => `fields { type { ofType { ${below} } } }`
const DEEP = deep(deep(deep(deep('name'))))

test.each([
  ['nothing of the schema', '{ fT0 { id } __typename }'],
  ['the whole schema', getIntrospectionQuery()],
  [
    'all that tools may ask for',
    getIntrospectionQuery({
      schemaDescription: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      inputValueDeprecation: true,
    }),
  ],
  ['one type', '{ __type(name: "Query") { fields { name args { name type { name } } } } }'],
  ['a type that there is not', `{ __type(name: "None") { ${DEEP} } }`],
])('an operation may read %s', (_, text) => {
  expect(excessOf(text)).toBeNull()
})

test.each([
  [
    'the schema many times',
    `{ ${NAMES.map((name) => `${name}: __schema { types { fields { name args { name type { name } } } } }`).join(' ')} }`,
  ],
  [
    'its types many times',
    `{ __schema { ${NAMES.map((name) => `${name}: types { fields { name args { name type { name } } } }`).join(' ')} } }`,
  ],
  [
    'values many times',
    `{ __schema { types { ${NAMES.map((name) => `${name}: description fields { ${name}: description }`).join(' ')} } } }`,
  ],
  ['types below types', `{ __schema { types { ${DEEP} } } }`],
  [
    'types below types of fragments',
    `{ ...A } fragment A on Query { ... { __schema { types { ...B } } } } fragment B on __Type { ${DEEP} }`,
  ],
  ['types below one', `{ __type(name: "Query") { ${DEEP} } }`],
])('an operation that reads %s is refused', (_, text) => {
  expect(excessOf(text)).toMatchObject({
    limit: 'introspection',
    extensions: { code: 'OPERATION_LIMIT_EXCEEDED' },
    message: expect.stringContaining('INTROSPECTION_MAX_VALUES'),
  })
})

test('the name of a type may be a variable', () => {
  const text = (standard = '') =>
    `query ($name: String!${standard}) { __type(name: $name) { ${DEEP} } }`
  expect(excessOf(text(), { name: 'Query' })).toMatchObject({ limit: 'introspection' })
  expect(excessOf(text(), { name: 'In' })).toBeNull()
  expect(excessOf(text(' = "Query"'))).toMatchObject({ limit: 'introspection' })
  expect(excessOf(text(' = "Query"'), { name: 'In' })).toBeNull()
})

test('only the operation that runs is counted', () => {
  const text = `query A { __typename } query B { __schema { types { ${DEEP} } } }`
  expect(excessOf(text, {}, 'A')).toBeNull()
  expect(excessOf(text, {}, 'B')).not.toBeNull()
})
