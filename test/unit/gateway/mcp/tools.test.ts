import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { buildSchema } from 'graphql'
import { pino } from 'pino'
import { createToolbox, ownToolDocuments } from '../../../../gateway/mcp/tools.ts'

const SCHEMA = buildSchema(`
  type Query { pets(kind: Kind, like: Like, first: Int): [Pet!]  count: Int!  any: Any }
  type Mutation { feed(id: ID!): Cat }
  type Subscription { fed: Int }
  interface Named { name: String }
  type Cat implements Named { name: String  lives: Int!  owner: Owner }
  type Dog implements Named { name: String  lives: Int!  owner: Kennel! }
  type Owner { id: ID! }  type Kennel { city: String }
  union Pet = Cat | Dog
  enum Kind { CAT DOG }
  input Like { name: String!  not: Like }
  scalar Any
`)

const toolbox = (...documents: string[]) => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  return { tools: createToolbox(documents, log)(SCHEMA), lines }
}

test('an operation is a tool by its description, or by the comment in front of it', () => {
  const { tools } = toolbox(
    '"Counts." query count { count }',
    '# Lists\n# pets.\nquery list { pets { ... on Cat { name } } }',
    'query other { count }',
  )
  const said = [...tools.values()].map(({ name, description }) => [name, description])
  expect(said).toEqual([
    ['count', 'Counts.'],
    ['list', 'Lists pets.'],
  ])
})

test('variables are arguments, with their descriptions and defaults', () => {
  const { tools } = toolbox(
    '"Lists." query list("Which." $kind: Kind = CAT, $like: Like, $first: Int!) { pets(kind: $kind, like: $like, first: $first) { __typename } }',
  )
  expect(tools.get('list')?.inputSchema).toEqual({
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['CAT', 'DOG'], default: 'CAT', description: 'Which.' },
      like: {
        type: 'object',
        properties: { name: { type: 'string' }, not: { type: 'object' } },
        required: ['name'],
        additionalProperties: false,
      },
      first: { type: 'integer' },
    },
    required: ['first'],
    additionalProperties: false,
  })
})

test('the schema of results takes all that the operation may return', () => {
  const { tools } = toolbox(
    `"Lists." query list($more: Boolean! = false) {
      any
      count @include(if: $more)
      pets { __typename ... on Cat { lives owner { id } } ... on Dog { lives home: owner { city } } ... on Named { name } }
    }`,
  )
  const schema = tools.get('list')?.dataSchema
  expect(schema).toMatchObject({ type: 'object', properties: { count: {}, any: {} } })
  const isValid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema ?? {})
  for (const pets of [
    null,
    [],
    [{ __typename: 'Cat', lives: 9, owner: null, name: null }],
    [{ __typename: 'Dog', lives: 1, home: { city: null }, name: 'Rex' }],
  ])
    for (const any of [null, 1, 'a', [], {}]) expect(isValid({ any, pets })).toBe(true)
  expect(isValid({ any: 1, pets: [{ __typename: 'Cat', lives: 'nine' }] })).toBe(false)
})

test.each([
  ['"Nope." query nope { nothing }', 'Cannot query field'],
  ['# No name.\n{ count }', 'needs a name'],
  ['"Live." subscription live { fed }', 'is a subscription'],
  ['"Two." query two { count } query three { count }', 'more than one operation'],
  ['"Broken." query {', 'Syntax Error'],
])('%s is no tool, and the log says why', (document, why) => {
  const { tools, lines } = toolbox(document)
  expect(tools.size).toBe(0)
  expect(lines.join()).toContain(why)
})

test('of two tools with one name the first counts', () => {
  const { tools, lines } = toolbox('"One." query a { count }', '"Two." query a { any }')
  expect(tools.get('a')?.description).toBe('One.')
  expect(lines.join()).toContain('another tool is called a')
})

test('a mutation writes', () => {
  const { tools } = toolbox('"Feeds." mutation feed($id: ID!) { feed(id: $id) { name } }')
  expect(tools.get('feed')?.writes).toBe(true)
})

test('every document of the product is a tool that says what it takes', async () => {
  const sdl = readFileSync('schema/supergraph.graphql', 'utf8')
  const documents = await ownToolDocuments()
  const faults: string[] = []
  const log = pino({}, { write: (line: string) => void faults.push(line) })
  const tools = createToolbox(documents, log)(buildSchema(sdl, { assumeValid: true }))
  expect(faults).toEqual([])
  expect(tools.size).toBe(documents.length)
  expect(tools.size).toBeLessThanOrEqual(20)
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
  for (const { name, inputSchema, dataSchema } of tools.values()) {
    expect(name).toMatch(/^[a-z_]{1,64}$/)
    expect(ajv.compile(inputSchema)).toBeTruthy()
    expect(ajv.compile(dataSchema)).toBeTruthy()
    for (const argument of Object.values(inputSchema.properties))
      expect(argument.description).toMatch(/\.$/)
  }
})
