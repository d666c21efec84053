import {
  type RunningArtifacts,
  refusal,
  runArtifacts,
  SCENARIO,
} from '../../support/artifacts/running-artifacts.ts'

let repository: RunningArtifacts
beforeAll(async () => {
  repository = await runArtifacts()
  for (const id of ['base', 'rates'])
    await repository.create('Component', { id, name: id, sourceCode: '' })
})
afterAll(() => repository.stop())

const create = (id: string, scenario: unknown) =>
  repository.create('TestCase', { id, name: id, componentUnderTest: 'base', scenario })

const update = (id: string, scenario: unknown) =>
  repository.run(
    'mutation ($input: UpdateTestCaseInput!) { updateTestCase(input: $input) { id } }',
    {
      input: { id, name: id, componentUnderTest: 'base', scenario },
    },
  )

const remove = (type: string, id: string) =>
  repository.run(`mutation ($id: ID!) { delete${type}(id: $id) }`, { id })

const running = (...ids: string[]) => ({
  steps: ids.map((id) => ({ id: `run-${id}`, scenario: { id } })),
})

const YAML = `
# A data-driven scenario
dataset:
  rows: &rows
    - { income: 0, tax: 0 }
    - { income: 1000, tax: 100 }
steps:
  - id: tax
    call: { function: tax, args: ["{{row.income}}"] }
    expect:
      - { path: $.tax, assert: equals, value: "{{row.tax}}" }
`

test('a scenario may be given as YAML, and is JSON from then on', async () => {
  await create('yaml', YAML)
  const { testCase } = await repository.run('{ testCase(id: "yaml") { scenario } }')
  expect(testCase.scenario).toEqual({
    dataset: {
      rows: [
        { income: 0, tax: 0 },
        { income: 1000, tax: 100 },
      ],
    },
    steps: [
      {
        id: 'tax',
        call: { function: 'tax', args: ['{{row.income}}'] },
        expect: [{ path: '$.tax', assert: 'equals', value: '{{row.tax}}' }],
      },
    ],
  })
  await update('yaml', JSON.stringify(SCENARIO))
})

test.each([
  ['that is none', 'steps:\n  - id: a\n bad: [', /^scenario is no YAML: .*\(line 3, column/],
  ['with a key twice', 'steps: []\nsteps: []', /^scenario is no YAML: .*unique.*line 2/],
  ['with an unknown tag', 'steps: !run x', /^scenario is no YAML/],
  ['that is no object', '- a', /^scenario: it must be object$/],
  ['without steps', 'setup: []', /^scenario lacks steps$/],
  [
    'that explodes',
    `a: &a [${'x,'.repeat(20)}]\nb: &b [${'*a,'.repeat(20)}]\nc: [${'*b,'.repeat(20)}]`,
    /^scenario is no YAML: Excessive alias count/,
  ],
  ['that is too long', ' '.repeat(1024 * 1024 + 1), /^scenario is a text of more than/],
])('YAML %s is refused', async (_, text, message) => {
  await expect(create('faulty', text)).rejects.toMatchObject(refusal('BAD_USER_INPUT', message))
})

test('what the steps of a scenario name must exist, and cannot be deleted', async () => {
  await create('inner', SCENARIO)
  await create('outer', {
    steps: [
      { id: 'a', scenario: { id: 'inner' } },
      { id: 'b', parallel: { steps: [{ id: 'c', call: { component: 'rates', function: 'f' } }] } },
    ],
  })
  await expect(remove('TestCase', 'inner')).rejects.toMatchObject(
    refusal('CONFLICT', /used by the testcase outer/),
  )
  await expect(remove('Component', 'rates')).rejects.toMatchObject(
    refusal('CONFLICT', /used by the testcase outer/),
  )
  await expect(create('dangling', running('missing'))).rejects.toMatchObject(
    refusal('BAD_USER_INPUT', 'scenario: no testcase has the id missing'),
  )
  await remove('TestCase', 'outer')
  await remove('TestCase', 'inner')
})

test('scenarios that run each other in a circle are refused', async () => {
  await create('one', SCENARIO)
  await create('two', running('one'))
  await create('three', running('two', 'one'))
  for (const id of ['one', 'two', 'three'])
    await expect(update('one', running(id))).rejects.toMatchObject(
      refusal('BAD_USER_INPUT', 'scenario: the testcase one names itself'),
    )
  await update('two', SCENARIO)
  await update('one', running('two'))
})

describe('a dry run', () => {
  const validate = async (scenario: unknown) =>
    (
      await repository.run(
        'query ($scenario: ScenarioInput!) { validateScenario(scenario: $scenario) { isValid message faults } }',
        { scenario },
      )
    ).validateScenario
  const evaluate = async (input: object) =>
    (
      await repository.run(
        'query ($input: EvaluateExpectationInput!) { evaluateExpectation(input: $input) { isMet message actualValue } }',
        { input },
      )
    ).evaluateExpectation

  test.each<[unknown, string | null]>([
    [SCENARIO, null],
    [YAML, null],
    [{ steps: [] }, 'scenario/steps must NOT have fewer than 1 items'],
    ['steps: [', expect.stringContaining('scenario is no YAML')],
    [running('nobody'), 'scenario names the testcase nobody: there is none'],
    [
      { steps: [{ id: 'a', wait: { ms: '{{rov.x}}' } }] },
      'scenario holds {{rov.x}}: expected row, capture, env, var or setup before the first dot',
    ],
    [
      { steps: [{ id: 'a', wait: { ms: 1 }, expect: [{ assert: 'schema', value: { type: 1 } }] }] },
      expect.stringContaining('scenario/steps/0/expect/0/value is no good: '),
    ],
  ])('validates a scenario: %j', async (scenario, message) => {
    const faults = message === null ? [] : [message]
    expect(await validate(scenario)).toEqual({ isValid: message === null, message, faults })
  })

  test('names every fault of a scenario', async () => {
    const [expect0, expect1] = [{ assert: 'is' }, { assert: 'count', value: true, hint: 1 }]
    const steps = [
      { id: 'a b', wait: { ms: -1 }, expect: [expect0, expect1] },
      { id: 'b', http: { method: 'BREW', url: 1 }, colour: 'red' },
      { id: 'c' },
      { id: 'd', command: { program: 'ls', attach: ['../x'] } },
    ]
    expect((await validate({ steps, retries: 1 })).faults).toEqual([
      'scenario has an unknown key retries',
      'scenario/steps/0/id must match pattern "^[A-Za-z0-9._~:-]{1,100}$"',
      expect.stringMatching('^scenario/steps/0/expect/0/assert must be one of equals, '),
      'scenario/steps/0/expect/1/value must be integer',
      'scenario/steps/0/expect/1 has an unknown key hint',
      'scenario/steps/0/wait/ms must be >= 0',
      'scenario/steps/1 has an unknown key colour',
      'scenario/steps/1/http/url must be string',
      'scenario/steps/1/http/method must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      expect.stringMatching('^scenario/steps/2 must have exactly one of call, http, '),
      'scenario/steps/3/command/attach/0 must be a path below the folder of the run: no / at its start, and no ..',
    ])
    const held = [
      { id: 'a', call: { function: '{{rov.x}}' }, expect: [{ path: 'a', assert: 'exists' }] },
      { id: 'a', wait: { ms: 1 }, capture: { b: 'b' } },
    ]
    expect((await validate({ steps: held })).faults).toHaveLength(4)
    const named = [
      { id: 'a', scenario: { id: 'nobody' } },
      { id: 'b', call: { component: 'nothing', function: 'f' } },
    ]
    expect((await validate({ steps: named })).faults).toEqual([
      'scenario names the component nothing: there is none',
      'scenario names the testcase nobody: there is none',
    ])
  })

  test('evaluates one expectation against a given result', async () => {
    const actual = { status: 200, body: { name: 'Ann' } }
    const expectation = { path: '$.body.name', assert: 'equals', value: 'ANN' }
    expect(await evaluate({ expectation, actual })).toEqual({
      isMet: false,
      message: 'Expected that $.body.name equals "ANN", but it is "Ann"',
      actualValue: 'Ann',
    })
    const met = { isMet: true, message: null, actualValue: null }
    expect(await evaluate({ expectation, actual, caseInsensitiveCompare: true })).toEqual(met)
    expect(await evaluate({ expectation: { assert: 'status', value: 200 }, actual })).toEqual(met)
  })

  test.each([
    [{ assert: 'is' }, /^expectation\/assert must be one of equals/],
    [{ assert: 'equals' }, /^expectation lacks value/],
    [{ assert: 'exists', path: 'a' }, /^expectation\/path is no JSONPath/],
    [{ assert: 'schema', value: { $ref: 'http://x' } }, /^expectation\/value is no good/],
    [{ assert: 'matches', value: '^(a+)+$' }, /^expectation: The evaluation takes longer/],
  ])('refuses the expectation %j', async (expectation, message) => {
    const actual = `${'a'.repeat(40)}!`
    await expect(evaluate({ expectation, actual })).rejects.toMatchObject(
      refusal('BAD_USER_INPUT', message),
    )
  })
})

test('a scenario needs a component only where one of its steps calls it', async () => {
  const without = (id: string, steps: object[]) =>
    repository.create('TestCase', { id, name: id, scenario: { steps } })
  await without('http-only', [{ id: 'home', http: { url: 'http://127.0.0.1/' } }])
  const inner = { id: 'inner', call: { function: 'a' } }
  await expect(
    without('caller', [{ id: 'both', parallel: { steps: [inner] } }]),
  ).rejects.toMatchObject(
    refusal('BAD_USER_INPUT', 'componentUnderTest: it is missing, and the step inner calls it'),
  )
  const { testCase } = await repository.run(
    '{ testCase(id: "http-only") { componentUnderTest { name } } }',
  )
  expect(testCase.componentUnderTest).toBeNull()
})
