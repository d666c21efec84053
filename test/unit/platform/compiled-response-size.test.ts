import { buildSchema, getOperationAST, isScalarType, parse } from 'graphql'
import { charactersIn, notedCharacters, parseExact } from '../../../formats/json/json.ts'
import { compileOperation } from '../../../platform/subgraph/compiled/operation.ts'

const TEXT = 'x'.repeat(1_000)
const LIMIT = 10_000

const schema = buildSchema(`
  scalar JSON
  type Part { text: String fails: String failsLater: String! needed: String! later: String json: JSON tags: [String!] n: Int parts: [Part] }
  type Query { part: Part parts(n: Int!): [Part] later: Part }
  type Mutation { change: Part }
`)
const json = schema.getType('JSON')
if (isScalarType(json)) json.serialize = (value) => value

const part = {
  text: TEXT,
  fails() {
    throw new Error(TEXT)
  },
  failsLater: () => Promise.reject(new Error(TEXT)),
  needed: TEXT,
  later: () => Promise.resolve(TEXT),
  json: { deep: [TEXT] },
  tags: [TEXT, TEXT],
  n: 1,
  parts: () => [part, Promise.resolve(part)],
}
let changes = 0
const ROOT = {
  part,
  later: () => Promise.resolve(part),
  parts: ({ n }: { n: number }) => Array(n).fill(part),
  change() {
    changes++
    return part
  },
}

async function run(text: string) {
  const document = parse(text)
  const operation = getOperationAST(document)
  if (!operation) throw new Error('no operation')
  return compileOperation(schema, document, operation, LIMIT).run({}, {}, ROOT)
}

const repeated = (field: string, times: number) =>
  Array.from({ length: times }, (_, at) => `a${at}: ${field}`).join(' ')

describe('objects', () => {
  test.each([
    ['a text', `{ part { ${repeated('text', 10)} } }`],
    ['a text that must not be null', `{ part { ${repeated('needed', 10)} } }`],
    ['a text that comes later', `{ part { ${repeated('later', 10)} } }`],
    ['an object that comes later', `{ ${repeated('later { text }', 10)} }`],
    ['JSON', `{ part { ${repeated('json', 10)} } }`],
    ['lists of texts', `{ part { ${repeated('tags', 5)} } }`],
    ['items of a list', '{ parts(n: 10) { text } }'],
    ['lists in lists', '{ parts(n: 2) { parts { parts { text } } later } }'],
    ['errors', `{ part { ${repeated('fails', 10)} } }`],
    ['errors that come later', `{ ${repeated('part { failsLater }', 10)} }`],
    [
      'errors beside values',
      `{ part { ${repeated('text', 6)} b: fails c: fails d: fails e: fails } }`,
    ],
    ['many small values', '{ parts(n: 2000) { n } }'],
  ])('the only error is the limit where a response repeats %s', async (_what, text) => {
    const { data, errors } = await run(text)
    expect(data).toBeNull()
    expect(errors).toHaveLength(1)
    expect(errors?.[0]?.message).toMatch(`The response has more than ${LIMIT} characters`)
    expect(errors?.[0]?.originalError).toMatchObject({ code: 'OPERATION_LIMIT_EXCEEDED' })
  })

  test('further mutations are not carried out', async () => {
    changes = 0
    const { errors } = await run(
      `mutation { change { ${repeated('text', 10)} } b: change { text } }`,
    )
    expect([errors?.length, changes]).toEqual([1, 1])
    changes = 0
    const long = 'b'.repeat(LIMIT / 2)
    await run(`mutation { ${long}: change { n } ${long}c: change { n } }`)
    expect(changes).toBe(0)
    await run(
      `mutation { change { ${repeated('text', 9)} } b: change { later needed } ${'c'.repeat(500)}: change { n } }`,
    )
    expect(changes).toBe(2)
  })

  test('what a response has is noted, within a tenth', async () => {
    const { data, errors } = await run('{ parts(n: 2) { text json tags n } }')
    expect(errors).toBeUndefined()
    const { length } = JSON.stringify(data)
    expect(Math.abs(notedCharacters(data as object) - length)).toBeLessThan(length / 10)
    expect(Math.abs(charactersIn(data) - length)).toBeLessThan(length / 10)
  })
})

test('counting ends at a bound, and goes down any depth', () => {
  let deep: unknown = TEXT
  for (let level = 0; level < 100_000; level++) deep = [deep]
  expect(charactersIn(deep)).toBeGreaterThan(100_000)
  expect(charactersIn(Array(1_000).fill(Array(1_000).fill(TEXT)), 10)).toBeLessThan(2_000_000)
  expect(notedCharacters({})).toBe(Number.POSITIVE_INFINITY)
})

test('what writes itself counts as what it writes', () => {
  const digits = '9'.repeat(900)
  const counted = charactersIn([parseExact(digits), 'abc'])
  expect(Math.abs(counted - 910)).toBeLessThan(20)
})
