import { type RunningArtifacts, runArtifacts } from '../../support/artifacts/running-artifacts.ts'

let repository: RunningArtifacts
beforeAll(async () => {
  repository = await runArtifacts()
  await repository.create('Environment', { id: 'stage', name: 'Stage', variables: { a: 1 } })
})
afterAll(() => repository.stop())

const COMPONENT = {
  kind: 'component',
  id: 'price',
  language: 'TYPESCRIPT',
  sourceCode:
    'export type T = number; const a = (x: T) => x; export { a as renamed }; export function total() {}',
}

async function faultsOf(scenario: object, more: object = {}, environmentId?: string) {
  const testCase = { kind: 'testcase', id: 't', componentUnderTest: 'price', scenario, ...more }
  const { validateArtifacts } = await repository.run(
    `query ($input: ValidateArtifactsInput!) { validateArtifacts(input: $input) { isValid faults { artifact message } } }`,
    { input: { artifacts: [COMPONENT, testCase], environmentId } },
  )
  const { isValid, faults } = validateArtifacts
  expect(isValid).toBe(faults.length === 0)
  return faults.map(({ artifact, message }: Record<string, string>) => `${artifact}: ${message}`)
}

const call = (name: string, more: object = {}) => ({ id: 'a', call: { function: name }, ...more })
const http = (url: string, more: object = {}) => ({ id: 'a', http: { url }, ...more })

test.each<[string, object[], object, string[]]>([
  ['nothing wrong', [call('total'), { ...call('renamed'), id: 'b' }], {}, []],
  [
    'a function that is not exported',
    [call('T')],
    {},
    [
      'testcase t: the step a calls T, which the component price does not export; it exports renamed, total',
    ],
  ],
  ['one that is to fail', [call('gone', { negative: true })], {}, []],
  [
    'an unknown capture',
    [http('/{{capture.token}}')],
    {},
    ['testcase t: the step a uses {{capture.token}}, which no step captures'],
  ],
  [
    'a capture that comes too late',
    [http('/{{capture.token}}'), { ...http('/', { capture: { token: '$' } }), id: 'b' }],
    {},
    ['testcase t: the step a uses {{capture.token}}, which only a later step captures'],
  ],
  [
    'a capture inside of parallel steps',
    [
      { id: 'p', parallel: { steps: [http('/', { capture: { token: '$' } })] } },
      { ...http('/{{capture.token.id}}'), id: 'b' },
    ],
    {},
    [],
  ],
  [
    'an unknown name of the environment',
    [http('/{{env.a}}/{{env.B}}')],
    { environment: 'stage' },
    ['testcase t: it uses {{env.B}}: the environment stage has no such variable or secret'],
  ],
  [
    'no environment',
    [http('/{{env.a}}')],
    {},
    ['testcase t: it uses {{env.a}}, and there is no environment: set environment'],
  ],
  [
    'a component that is not there',
    [call('total')],
    { componentUnderTest: 'gone' },
    ['testcase t: componentUnderTest: no component has the id gone'],
  ],
  [
    'all faults of form',
    [
      { id: 'a', http: { url: 1 } },
      { id: 'b', wait: { ms: -1 }, colour: 'red' },
    ],
    {},
    [
      'testcase t: scenario/steps/0/http/url must be string',
      'testcase t: scenario/steps/1 has an unknown key colour',
      'testcase t: scenario/steps/1/wait/ms must be >= 0',
    ],
  ],
  [
    'a fault of form',
    [{ id: 'a' }],
    {},
    [expect.stringMatching(/^testcase t: scenario\/steps\/0 must have exactly one of/)],
  ],
])('%s', async (_, steps, more, faults) => {
  expect(await faultsOf({ steps }, more)).toEqual(faults)
})

const inRows = (more: object) => ({ dataset: { rows: [{ a: 1 }, { a: { c: 2 }, b: 3 }] }, ...more })
const step = (url: string, id = 'a') => ({ id, http: { url } })

test.each<[string, object, string[]]>([
  ['columns that some row has', inRows({ steps: [step('/{{row.a.c}}/{{row.b}}')] }), []],
  [
    'a column that no row has',
    inRows({ steps: [step('/{{row.A}}/{{row.b}}')] }),
    ['the step a uses {{row.A}}, which no row of the dataset has'],
  ],
  [
    'one inside of parallel steps and in an expectation',
    inRows({
      steps: [
        { id: 'p', parallel: { steps: [step('/{{row.x}}')] } },
        { ...step('/', 'b'), expect: [{ path: '$', assert: 'equals', value: '{{row.y}}' }] },
      ],
    }),
    [
      'the step a uses {{row.x}}, which no row of the dataset has',
      'the step b uses {{row.y}}, which no row of the dataset has',
    ],
  ],
  [
    'a column in a setup',
    inRows({ setup: [step('/{{row.a}}')], steps: [step('/', 'b')] }),
    ['the step a uses {{row.a}}, but setup and teardown run once, outside of the rows'],
  ],
  [
    'a column without a dataset',
    { steps: [step('/{{row.a}}')] },
    ['the step a uses {{row.a}}, and there is no dataset'],
  ],
])('rows: %s', async (_, scenario, faults) => {
  expect(await faultsOf(scenario)).toEqual(faults.map((fault) => `testcase t: ${fault}`))
})

test.each<[string, string[]]>([
  ['{{env.a}}/{{setup.token}}/\\{{var.user}}', []],
  ...['var.user', 'row.i', 'capture.id'].map((name): [string, string[]] => [
    `{{${name}}}/{{${name}}}`,
    [
      `testcase t: variables: they use {{${name}}}, and only env and setup can be used in variables`,
    ],
  ]),
])('variables with %s', async (path, faults) => {
  const scenario = { variables: { user: 'max', deep: [{ path }] }, steps: [http('/')] }
  expect(await faultsOf(scenario, { environment: 'stage' })).toEqual(faults)
})

test('another environment replaces that of the scenarios', async () => {
  expect(await faultsOf({ steps: [http('/{{env.a}}')] }, {}, 'stage')).toEqual([])
})

test('a scenario alone is validated for the place that is given', async () => {
  await repository.create('Component', {
    id: 'stored',
    name: 'Stored',
    sourceCode: 'export const a = 1',
  })
  const { validateScenario } = await repository.run(
    `query ($scenario: ScenarioInput!) {
      validateScenario(scenario: $scenario, componentUnderTest: "stored", environment: "stage") { faults } }`,
    { scenario: { steps: [call('b'), { ...http('/{{env.c}}'), id: 'x' }] } },
  )
  expect(validateScenario.faults).toEqual([
    'scenario: the step a calls b, which the component stored does not export; it exports a',
    'scenario: it uses {{env.c}}: the environment stage has no such variable or secret',
  ])
})

test('a format that no JSON Schema has is a warning, as any value meets it', async () => {
  const schema = { properties: { a: { format: 'phone' }, b: { format: 'date-time' } } }
  const expect0 = { path: '$.body', assert: 'schema', value: schema }
  const scenario = { steps: [http('http://a/', { expect: [expect0] })] }
  const { validateArtifacts } = await repository.run(
    `query ($input: ValidateArtifactsInput!) { validateArtifacts(input: $input) {
      isValid faults { message } warnings { artifact message } } }`,
    { input: { artifacts: [{ kind: 'testcase', id: 't', scenario }] } },
  )
  expect(validateArtifacts).toEqual({
    ...{ isValid: true, faults: [] },
    warnings: [
      {
        artifact: 'testcase t',
        message:
          'scenario/steps/0/expect/0/value: unknown format "phone" ignored in schema at path "#/properties/a", so that any value meets it',
      },
    ],
  })
})

test('two artifacts of one kind with one name are found', async () => {
  const named = { name: 'Rates', sourceCode: 'export const a = 1' }
  const artifacts = [
    { kind: 'component', id: 'one', ...named },
    { kind: 'component', id: 'two', ...named, sourceCode: 'export const b = 1' },
    { kind: 'environment', id: 'one', name: 'Rates' },
  ]
  const { validateArtifacts } = await repository.run(
    'query ($input: ValidateArtifactsInput!) { validateArtifacts(input: $input) { faults { artifact message } } }',
    { input: { artifacts } },
  )
  expect(validateArtifacts.faults).toEqual([
    { artifact: 'component two', message: 'its name "Rates" is also that of the component one' },
  ])
})

test('needs in a circle and names that a setup does not capture are found', async () => {
  const scenario = (id: string, step: object, more: object = {}) => ({
    ...{ kind: 'testcase', id, scenario: { steps: [step] } },
    ...more,
  })
  const artifacts = [
    scenario('login', http('http://a/', { capture: { token: '$' } })),
    scenario('uses', http('http://a/{{setup.token.id}}/{{setup.id}}'), { needs: ['other'] }),
    scenario('other', http('http://a/'), { needs: ['uses'] }),
    { kind: 'suite', id: 'all', testCases: ['uses', 'other'], setup: 'login' },
  ]
  const { validateArtifacts } = await repository.run(
    'query ($input: ValidateArtifactsInput!) { validateArtifacts(input: $input) { faults { artifact message } } }',
    { input: { artifacts } },
  )
  expect(validateArtifacts.faults).toEqual([
    {
      artifact: 'artifacts',
      message: 'testcase: they name each other in a circle: uses → other → uses',
    },
    {
      artifact: 'testcase uses',
      message: 'it uses {{setup.id}}, which login, the setup of the suite all, does not capture',
    },
  ])
})
