import { ADMIN, ADMIN_PASSWORD, basic, Client } from '../../support/e2e/users.ts'
import type { Attack } from './stall-corpus.ts'

const SIGNED_IN = basic(ADMIN, ADMIN_PASSWORD)

const graphql = (query: string, variables: object = {}) => ({
  path: '/graphql',
  headers: SIGNED_IN,
  body: JSON.stringify({ query, variables }),
})

/** As often as a document may have root fields. */
const OFTEN = Array.from({ length: 49 }, (_, at) => `a${at}`)

const evaluate = (expectation: object, actual: unknown, aliases: readonly string[] = ['a']) =>
  graphql(
    `query ($input: EvaluateExpectationInput!) { ${aliases
      .map((alias) => `${alias}: evaluateExpectation(input: $input) { isMet message }`)
      .join(' ')} }`,
    { input: { expectation, actual } },
  )

const validate = (scenario: unknown) =>
  graphql(
    'query ($scenario: ScenarioInput!) { validateScenario(scenario: $scenario) { faults } }',
    {
      scenario,
    },
  )

const BACKTRACKING = '^(a+)+$'
const TEXT = `${'a'.repeat(60)}!`
const WIDE = Array.from({ length: 15_000 }, (_, n) => ({ a: [[[[n]]]] }))
const ZEROS = Array(90_000).fill(0)
const everything = (times: number): string => Array(times).fill('*').join()
/** Each of nine levels holds the one below ten times. */
const LAUGHS = [...'abcdefghi'].reduce(
  (yaml, name, at) =>
    `${yaml}${name}: &${name} [${Array(10).fill(at === 0 ? 'lol' : `*${'abcdefghi'[at - 1]}`)}]\n`,
  '',
)

const CREATE_COMPONENT =
  'mutation ($input: CreateComponentInput!) { createComponent(input: $input) { id } }'
const CREATE_TESTCASE =
  'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }'
const EXECUTE =
  'mutation ($input: ExecuteInput!) { execute(input: $input) { state errorCode message } }'

const MEGABYTE = 'export const megabyte = () => "x".repeat(1_000_000)'

/** Stores a scenario; the attack is to execute it. */
const execution = (
  id: string,
  steps: readonly object[],
  sourceCode = MEGABYTE,
): Pick<Attack, 'before' | 'request' | 'status'> => ({
  async before(url) {
    const client = new Client(url)
    const component = { id, name: id, sourceCode }
    await client.run(CREATE_COMPONENT, SIGNED_IN, { input: component })
    const testCase = { id, name: id, componentUnderTest: id, scenario: { steps } }
    const input = { ...testCase, allowExecuteWithoutCredentials: true }
    await client.run(CREATE_TESTCASE, SIGNED_IN, { input })
  },
  request: () => graphql(EXECUTE, { input: { contextId: id, wait: true } }),
  status: 200,
})

const CAPTURED = [
  { id: 'capture', call: { function: 'megabyte' }, capture: { m: '$' } },
  { id: 'ready', wait: { ms: 0 } },
]
const steps = (count: number, step: (at: number) => object) =>
  Array.from({ length: count }, (_, at) => ({ id: `s${at}`, optional: true, ...step(at) }))

/** Attacks of authors of scenarios that take long, in requests and in executions within this process. */
export const EVALUATION_STALLS: readonly Attack[] = [
  {
    name: '49 aliases of a pattern that backtracks',
    request: () => evaluate({ path: '$', assert: 'matches', value: BACKTRACKING }, TEXT, OFTEN),
    status: 200,
  },
  {
    name: 'a filter that compares all with all',
    request: () => evaluate({ path: '$..[?count($..*) > 1]', assert: 'exists' }, WIDE),
    status: 200,
  },
  {
    name: 'a path that descends again and again',
    request: () => evaluate({ path: `$${'..*'.repeat(12)}`, assert: 'exists' }, WIDE),
    status: 200,
  },
  ...Array.from({ length: 5 }, (_, at) => ({
    name: `a path that selects everything 200 times, ${at + 1}`,
    request: () => evaluate({ path: `$[${everything(200)}]`, assert: 'exists' }, ZEROS),
    status: 200,
  })),
  ...Array.from({ length: 5 }, (_, at) => ({
    name: `a filter that selects everything 90 times, ${at + 1}`,
    request: () =>
      evaluate({ path: `$[?count($[${everything(90)}]) > 1]`, assert: 'exists' }, ZEROS),
    status: 200,
  })),
  {
    name: 'a schema with a pattern that backtracks',
    request: () => evaluate({ assert: 'schema', value: { pattern: BACKTRACKING } }, TEXT, OFTEN),
    status: 200,
  },
  {
    name: 'a schema that refers to itself for ever',
    request: () => evaluate({ assert: 'schema', value: { $ref: '#' } }, TEXT),
    status: 200,
  },
  {
    name: 'a schema that wants 45 000 different items',
    request: () =>
      evaluate(
        { assert: 'schema', value: { uniqueItems: true } },
        Array.from({ length: 45_000 }, (_, n) => ({ n })),
      ),
    status: 200,
  },
  {
    name: 'a schema of many alternatives within each other',
    request: () => {
      const nested = (levels: number): object =>
        levels === 0 ? { type: 'null' } : { anyOf: [1, 2, 3].map(() => nested(levels - 1)) }
      return evaluate({ assert: 'schema', value: nested(8) }, TEXT, OFTEN.slice(0, 10))
    },
    status: 200,
  },
  { name: 'YAML that multiplies', request: () => validate(LAUGHS), status: 200 },
  { name: 'YAML of 400 000 levels', request: () => validate('['.repeat(400_000)), status: 200 },
  {
    name: '1 MB of YAML',
    request: () => validate(`steps:\n${'- { id: a, wait: { ms: 1 } }\n'.repeat(33_000)}`),
    status: 200,
  },
  {
    name: '49 faulty scenarios of 900 steps',
    request: () =>
      graphql(
        `query ($scenario: ScenarioInput!) { ${OFTEN.map(
          (alias) => `${alias}: validateScenario(scenario: $scenario) { isValid }`,
        ).join(' ')} }`,
        { scenario: { steps: steps(900, () => ({ nope: 1, expect: [{}, {}, {}] })) } },
      ),
    status: 200,
  },
  {
    name: 'ten steps whose template repeats a captured megabyte 200 times',
    ...execution('repeats', [
      ...CAPTURED,
      ...steps(10, () => ({
        wait: { ms: 0 },
        expect: [{ path: '$', assert: 'notEquals', value: '{{capture.m}}'.repeat(200) }],
      })),
    ]),
  },
  {
    name: 'a hundred steps that capture a megabyte',
    ...execution(
      'captures',
      steps(100, (at) => ({ call: { function: 'megabyte' }, capture: { [`m${at}`]: '$' } })),
    ),
  },
  {
    name: 'ten steps with a pattern that backtracks',
    ...execution(
      'backtracks',
      steps(10, () => ({
        wait: { ms: 0 },
        if: { actual: TEXT, assert: 'matches', value: BACKTRACKING },
      })),
    ),
  },
  {
    name: 'a component that takes long to parse',
    ...execution(
      'parsed',
      [{ id: 'a', call: { function: 'f' } }],
      `export const f = () => ${'[1,2,'.repeat(20_000)}${']'.repeat(20_000)}`,
    ),
  },
  {
    name: 'a component of 250 000 statements',
    ...execution(
      'statements',
      [{ id: 'a', call: { function: 'f' } }],
      `export function f() { ${'1;'.repeat(120_000)} }`,
    ),
  },
  {
    name: 'an operation with 4 400 fields',
    request: () => {
      const fields = 'id state message started ended '.repeat(17)
      const results = OFTEN.map((alias) => `${alias}: executionResult(id: "x") { ${fields} }`)
      return graphql(`{ ${results.join(' ')} }`)
    },
    status: 200,
  },
  {
    name: 'an operation of fragments within fragments',
    request: () => {
      const below = Array.from(
        { length: 12 },
        (_, at) => `fragment F${at} on ExecutionResult { id ...F${at + 1} ...F${at + 1} }`,
      )
      return graphql(
        `{ executionResult(id: "x") { ...F0 } } ${below.join(' ')} fragment F12 on ExecutionResult { id }`,
      )
    },
    status: 400,
  },
]
