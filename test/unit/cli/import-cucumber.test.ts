import { readCucumber } from '../../../formats/results/cucumber.ts'

const passed = { result: { status: 'passed' } }
const failed = (message: string) => ({ result: { status: 'failed', error_message: message } })
const feature = (...elements: object[]) =>
  JSON.stringify([{ uri: 'a.feature', name: 'Shop', elements }])

describe('Cucumber: what a step embeds', () => {
  const embedded = (mime_type: string, data: string) => {
    const steps = [{ ...passed, embeddings: [{ mime_type, data }] }]
    const [scenario] = readCucumber(feature({ type: 'scenario', steps }))
    return Buffer.from(scenario?.steps[0]?.files[0]?.base64 ?? '', 'base64')
  }
  test.each([
    ['text/plain', 'Logging in as ann...\nok', 'Logging in as ann...\nok'],
    ['text/plain', 'TG9nZ2VkIGlu', 'Logged in'],
    ['text/plain', 'done', 'done'], // strict Base64, but of bytes that are no UTF-8
    ['text/plain', 'TG9nZ2VkIGlu=', 'TG9nZ2VkIGlu='],
    ['application/json', '{"a":1}', '{"a":1}'],
    ['image/svg+xml', '<svg/>', '<svg/>'],
    ['image/png', 'c2hv\r\ndA==', 'shot'],
    ['image/png', 'data:image/png;base64,c2hvdA==', 'shot'],
  ])('%s %j is %j', (type, data, content) => {
    expect(embedded(type, data).toString()).toBe(content)
  })

  test('bytes stay as they are', () => {
    expect(embedded('image/png', 'iVBORw0KGgo=').toString('hex')).toBe('89504e470d0a1a0a')
  })
})

test('Cucumber: output of steps and hooks is the log, without colours', () => {
  const element = {
    type: 'scenario',
    before: [{ ...passed, output: ['from a hook'] }],
    steps: [
      { ...passed, output: ['one', '\u001b[31mtwo\u001b[0m'] },
      { ...passed, embeddings: [{ mime_type: 'text/x.cucumber.log+plain', data: 'bG9nZ2Vk' }] },
    ],
  }
  expect(readCucumber(feature(element))).toMatchObject([{ log: 'from a hook\none\ntwo\nlogged' }])
})

test('Cucumber: all faults of a scenario, the gravest first', () => {
  const steps = [failed('price differs'), { result: { status: 'undefined' } }]
  const after = [failed('\u001b[31mcannot close\u001b[0m')]
  expect(readCucumber(feature({ type: 'scenario', steps, after }))).toMatchObject([
    { state: 'ERROR', message: 'The step is undefined\n\nprice differs\n\ncannot close' },
  ])
})

test.each([
  ['JavaScript 13.3', 'Error: price of two', '    at World.<anonymous> (file:///ci/s.mjs:6:32)'],
  ['the JVM', 'java.lang.AssertionError: price\nof two', '\tat shop.Steps.fails(Steps.java:9)'],
  ['Ruby', 'price of two (RuntimeError)', "./features/steps.rb:9:in `/^it fails$/'"],
])('the message of Cucumber for %s has no stack, and the log has it', (_, message, frame) => {
  const fault = `${message}\n${frame}\n${frame}`
  const [scenario] = readCucumber(feature({ type: 'scenario', steps: [failed(fault)] }))
  expect(scenario).toMatchObject({ message, log: fault, steps: [{ message }] })
})

test('Cucumber 13.3 for JavaScript has the rule of a scenario in its id alone', () => {
  const of = (id: string, line: number) => ({ id, line, type: 'scenario', name: 'adds', steps: [] })
  const names = (...elements: object[]) =>
    readCucumber(feature(...elements)).map(({ name }) => name)
  expect(names(of('shop;adds', 4), of('shop;my-cart;adds', 9))).toEqual([
    'Shop › adds',
    'Shop › my-cart › adds',
  ])
  expect(names(of('shop;my-cart;adds', 9))).toEqual(['Shop › adds'])
  expect(names(of('shop;row;;2', 9), of('shop;row;;3', 10))).toEqual([
    'Shop › adds',
    'Shop › adds (2)',
  ])
})

test('Cucumber: scenarios of one name get names of their own, also those of two features', () => {
  const row = { type: 'scenario', name: 'row', steps: [passed] }
  const features = [
    { uri: 'a.feature', name: 'Shop', elements: [row, { ...row, line: 5 }] },
    { uri: 'b.feature', name: 'Shop', elements: [row] },
    { uri: 'b.feature', name: 'Cart', elements: [row, { ...row, line: 5 }] },
  ]
  expect(readCucumber(JSON.stringify(features)).map(({ name }) => name)).toEqual([
    'Shop › row [a.feature]',
    'Shop › row [a.feature] (2)',
    'Shop › row [b.feature]',
    'Cart › row',
    'Cart › row (2)',
  ])
})

test('Cucumber for Ruby: the same element again is a try of it', () => {
  const element = { type: 'scenario', id: 'shop;buys', line: 3, name: 'buys' }
  const elements = [
    { ...element, steps: [failed('first')] },
    { ...element, steps: [failed('second')] },
    { ...element, steps: [passed] },
  ]
  const scenarios = readCucumber(feature(...elements))
  expect(scenarios).toMatchObject([
    { state: 'COMPLETED', tries: [{ message: 'first' }, { message: 'second' }] },
  ])
  expectTries(scenarios)
})

/** An import takes these attributes of tries alone. */
function expectTries(scenarios: readonly { tries: object[] }[]): void {
  for (const tried of scenarios.flatMap(({ tries }) => tries))
    expect(Object.keys(tried).sort()).toEqual([
      'durationMs',
      'message',
      'started',
      'state',
      'steps',
    ])
}

test('Cucumber for Ruby: a pending step leaves the rest of its scenario out', () => {
  const pending = {
    ...{ keyword: 'Given ', name: 'a shop' },
    result: { status: 'pending', error_message: 'later (Cucumber::Pending)\n./s.rb:3:in `a shop`' },
  }
  expect(readCucumber(feature({ type: 'scenario', name: 'a', steps: [pending] }))).toMatchObject([
    { state: 'SKIPPED', message: expect.stringMatching(/^later/) },
  ])
})

test.each([
  ['features/a.feature:4', 'SKIPPED'],
  ['features/step_definitions/s.rb:4', 'ERROR'],
  [undefined, 'ERROR'],
])(
  'an undefined step with the place %s is %s, as Cucumber for Ruby ends with 0',
  (location, state) => {
    const steps = [
      { name: 'a shop', match: { location }, result: { status: 'undefined' } },
      { name: 'a price', result: { status: 'skipped' } },
    ]
    expect(readCucumber(feature({ type: 'scenario', name: 'a', steps }))).toMatchObject([
      { state, message: 'The step is undefined' },
    ])
  },
)

test('behave: its own verdict, seconds, and steps that did not run', () => {
  const step = (more: object) => ({ keyword: 'Given', name: 'a price', ...more })
  const elements = [
    {
      name: 'adds ',
      status: 'passed',
      steps: [step({ result: { status: 'passed', duration: 0.05 } })],
    },
    {
      name: 'fails',
      status: 'failed',
      steps: [
        step({ result: { status: 'failed', error_message: ['Assertion Failed: 2', 'at'] } }),
        step({}),
      ],
    },
    { name: 'hook', status: 'failed', steps: [step({})] },
    { name: 'hook of 1.3', status: 'hook_error', steps: [step({})] },
    { name: 'off', status: 'skipped', steps: [step({})] },
  ].map((each) => ({ type: 'scenario', location: 'a.feature:2', ...each }))
  const behave = [{ name: 'Shop', location: 'a.feature:1', status: 'failed', elements }]
  expect(readCucumber(JSON.stringify(behave))).toMatchObject([
    { name: 'Shop › adds', state: 'COMPLETED', durationMs: 50, steps: [{ name: 'Given a price' }] },
    { state: 'FAILED', message: 'Assertion Failed: 2\nat', steps: [{}, { state: 'SKIPPED' }] },
    { state: 'FAILED', message: 'The scenario is failed, and none of its steps is' },
    { state: 'ERROR', message: 'The scenario is hook_error, and none of its steps is' },
    { state: 'SKIPPED' },
  ])
})

describe('Cucumber: messages', () => {
  const begun = [
    { meta: { protocolVersion: '34.2.1' } },
    {
      gherkinDocument: {
        feature: {
          name: 'Shop',
          children: [
            {
              rule: {
                name: 'Rule',
                children: [{ scenario: { id: 's', steps: [{ id: 'n', keyword: 'Given ' }] } }],
              },
            },
          ],
        },
      },
    },
    {
      pickle: {
        id: 'p',
        uri: 'a.feature',
        name: 'buys',
        astNodeIds: ['s'],
        steps: [{ id: 'ps', text: 'a cart', astNodeIds: ['n'] }],
      },
    },
    { hook: { id: 'h', type: 'BEFORE_TEST_RUN' } },
    { testCase: { id: 'c', pickleId: 'p', testSteps: [{ id: 't', pickleStepId: 'ps' }] } },
  ]
  const attempt = (id: string, status: string, message = '') => [
    { testCaseStarted: { id, testCaseId: 'c', timestamp: { seconds: 1_767_323_045, nanos: 5e6 } } },
    {
      attachment: {
        testCaseStartedId: id,
        testStepId: 't',
        body: id,
        contentEncoding: 'IDENTITY',
        mediaType: 'text/x.cucumber.log+plain',
      },
    },
    {
      testStepFinished: {
        testCaseStartedId: id,
        testStepId: 't',
        testStepResult: { status, message, duration: { seconds: 1, nanos: 5e8 } },
      },
    },
    { testCaseFinished: { testCaseStartedId: id } },
  ]
  const end = (success: boolean) => ({ testRunFinished: { success } })
  const read = (...messages: object[]) =>
    readCucumber([...begun, ...messages].map((each) => JSON.stringify(each)).join('\n'))

  test('are a scenario with its rule, tries, files and times', () => {
    const scenarios = read(...attempt('a', 'FAILED', 'no'), ...attempt('b', 'PASSED'), end(true))
    expectTries(scenarios)
    expect(scenarios).toMatchObject([
      {
        ...{ name: 'Shop › Rule › buys', state: 'COMPLETED', durationMs: 1_500 },
        log: 'Try 1:\na\nb',
        started: '2026-01-02T03:04:05.005Z',
        steps: [{ name: 'Given a cart', files: [{ name: 'embedding-1.txt', base64: 'Yg==' }] }],
        tries: [{ state: 'FAILED', message: 'no' }],
      },
    ])
  })

  test('of a run that broke off are an error', () => {
    expect(read(...attempt('a', 'PASSED').slice(0, -2))).toMatchObject([
      { name: 'Cucumber', state: 'ERROR', message: 'The run did not end' },
      { state: 'ERROR', message: 'The run ended within the scenario' },
    ])
    expect(read(end(true))).toMatchObject([{ state: 'SKIPPED', message: 'It did not run' }])
  })

  test('name a hook of the run and a feature that cannot be read', () => {
    const hook = [
      { testRunHookStarted: { id: 'r', hookId: 'h' } },
      {
        testRunHookFinished: {
          testRunHookStartedId: 'r',
          result: { status: 'FAILED', message: 'no database' },
        },
      },
      { parseError: { source: { uri: 'b.feature' }, message: 'expected a step' } },
    ]
    expect(read(...hook, end(false))).toMatchObject([
      { name: 'b.feature', state: 'ERROR', message: 'expected a step' },
      { name: 'Before all', state: 'ERROR', message: 'no database' },
      { state: 'SKIPPED' },
    ])
  })

  test('say that the run failed, where no scenario says it', () => {
    expect(read(...attempt('a', 'PASSED'), end(false))).toMatchObject([
      { name: 'Cucumber', state: 'ERROR', message: 'The run failed, and no scenario did' },
      { state: 'COMPLETED' },
    ])
  })

  test('that are cut off within a line are refused', () => {
    const text = begun.map((each) => JSON.stringify(each)).join('\n')
    expect(() => readCucumber(text.slice(0, -5))).toThrow('line 5 is no JSON')
  })
})

test('pytest-bdd 5: the message is what was raised last, and the log has all', () => {
  const said = `def find():\n>   return self.steps[name]\nE   KeyError: 'a'\n\nDuring handling of the above exception:\n\n>   assert 2 == 1\nE   assert 2 == 1\nE    +  where 2 = sum([2])\n\ntest_cart.py:12: AssertionError`
  const steps = [{ name: 'it has 1', result: { status: 'failed', error_message: said } }]
  const text = JSON.stringify([{ name: 'Cart', elements: [{ name: 'fails', steps }] }])
  expect(readCucumber(text)).toMatchObject([
    { state: 'FAILED', message: 'assert 2 == 1\n +  where 2 = sum([2])', log: said },
  ])
})
