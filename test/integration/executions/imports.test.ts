import { openCaller } from '../../../platform/access/caller.ts'
import { type RunningExecutions, runExecutions } from '../../support/running-executions.ts'

let executions: RunningExecutions
beforeAll(async () => {
  executions = await runExecutions()
})
afterAll(() => executions.stop())

const RESULT = `id type state contextId contextName message started ended log labels { name value }
  skippedScenarios { name reason } report(format: JUNIT)
  testCaseResults { contextId state message durationMs log validationFailures { stepId message }
    steps { name kind state durationMs attachments { id name contentType size } } }`
const IMPORT = `mutation ($input: ImportExecutionInput!) { importExecution(input: $input) { ${RESULT} } }`

const started = '2026-01-02T03:04:05.000Z'
const LOG = ['03:04:05.000 INFO Import  one', '03:04:05.678 WARN Browser  two']
const SCENARIOS = [
  { name: 'Sign in', state: 'COMPLETED', started, durationMs: 1_200 },
  {
    ...{ name: 'Order', state: 'FAILED', message: 'The basket is empty', started, durationMs: 800 },
    log: 'one\n03:04:05.678 WARN Browser  two',
    steps: [
      { name: 'open', state: 'COMPLETED', durationMs: 300 },
      {
        ...{ name: 'buy', state: 'FAILED', message: 'empty', durationMs: 500 },
        attachments: [{ name: 'shot.png', base64: Buffer.from('shot').toString('base64') }],
      },
    ],
  },
  { name: 'Later', state: 'SKIPPED', message: 'not today', started, log: 'no server\nno network' },
]

test('results that ran elsewhere are an execution with steps, log, files and report', async () => {
  const input = { name: 'Browser', scenarios: SCENARIOS, labels: [{ name: 'build', value: '42' }] }
  const { importExecution } = await executions.run(IMPORT, { input })
  expect(importExecution).toMatchObject({
    ...{ type: 'SUITE', state: 'FAILED', contextId: 'Browser', contextName: 'Browser' },
    message: '1 of 3 scenarios failed, 1 did not run',
    labels: [{ name: 'build', value: '42' }],
    skippedScenarios: [{ name: 'Later', reason: 'not today' }],
    log: expect.stringMatching(
      /^03:04:05.000 INFO Later {2}no server\n.*INFO Later {2}no network$/m,
    ),
    testCaseResults: [
      { contextId: 'Sign in', state: 'COMPLETED', durationMs: 1_200, steps: [] },
      {
        ...{ contextId: 'Order', state: 'FAILED', durationMs: 800, log: `${LOG.join('\n')}\n` },
        validationFailures: [{ stepId: 'step[1]', message: 'The basket is empty' }],
        steps: [
          { name: 'open', kind: 'imported', state: 'COMPLETED', durationMs: 300 },
          { name: 'buy', attachments: [{ name: 'shot.png', contentType: 'image/png', size: 4 }] },
        ],
      },
    ],
  })
  expect(new Date(importExecution.started).toISOString()).toBe(started)
  expect(new Date(importExecution.ended).toISOString()).toBe('2026-01-02T03:04:06.200Z')
  expect(importExecution.report).toContain('tests="3" failures="1" errors="0" skipped="1"')
  const { executionResults } = await executions.run(
    '{ executionResults(filter: { names: ["Order"] }) { nodes { state } } }',
  )
  expect(executionResults.nodes).toEqual([{ state: 'FAILED' }])
})

test('tries before a good one make it flaky, and all ran in the environment that is named', async () => {
  const tries = [
    {
      ...{ state: 'FAILED', message: 'not visible', started, durationMs: 100 },
      steps: [
        {
          ...{ name: 'click', state: 'FAILED' },
          attachments: [{ name: 'shot.png', base64: btoa('shot') }],
        },
      ],
    },
  ]
  const scenarios = [{ name: 'Retried', state: 'COMPLETED', started, durationMs: 300, tries }]
  const input = { name: 'Flaky', environmentId: 'stage', scenarios }
  const { importExecution } = await executions.run(
    `mutation ($input: ImportExecutionInput!) { importExecution(input: $input) { state environmentId
      report(format: JUNIT)
      testCaseResults { isFlaky environmentId tries { state message steps { attachments { name } } } } } }`,
    { input },
  )
  expect(importExecution).toMatchObject({
    ...{ state: 'COMPLETED', environmentId: 'stage' },
    report: expect.stringContaining('<flakyFailure message="not visible"'),
    testCaseResults: [
      {
        ...{ isFlaky: true, environmentId: 'stage' },
        tries: [
          {
            ...{ state: 'FAILED', message: 'not visible' },
            steps: [{ attachments: [{ name: 'shot.png' }] }],
          },
        ],
      },
    ],
  })
})

test('files of scenarios that were skipped are those of the whole', async () => {
  const attachments = [{ name: 'shot.png', base64: btoa('shot') }]
  const skipped = { name: 'Later', state: 'SKIPPED', message: 'no server' }
  const scenarios = [
    { ...skipped, steps: [{ name: 'open', state: 'SKIPPED', attachments }] },
    { name: 'Now', state: 'COMPLETED' },
  ]
  const { importExecution } = await executions.run(
    `mutation ($input: ImportExecutionInput!) { importExecution(input: $input) { state
      steps { name state message attachments { name size } } report(format: JUNIT) } }`,
    { input: { name: 'Skipped', scenarios } },
  )
  expect(importExecution).toMatchObject({
    state: 'COMPLETED',
    steps: [{ ...skipped, attachments: [{ name: 'shot.png', size: 4 }] }],
    report: expect.stringContaining('tests="2" failures="0" errors="0" skipped="1"'),
  })
})

test('a scenario without a time begins with the first that has one', async () => {
  const scenarios = [
    { name: 'Untimed', state: 'COMPLETED', durationMs: 10 },
    { name: 'Timed', state: 'COMPLETED', started, durationMs: 20 },
  ]
  const { importExecution } = await executions.run(
    `mutation ($input: ImportExecutionInput!) { importExecution(input: $input) {
      durationMs testCaseResults { started } } }`,
    { input: { name: 'Partly timed', scenarios } },
  )
  expect(importExecution.durationMs).toBe(20)
  for (const { started: begun } of importExecution.testCaseResults)
    expect(new Date(begun).toISOString()).toBe(started)
})

test('tests of different months are an execution without a duration', async () => {
  const scenarios = [
    { name: 'Old', state: 'COMPLETED', started: '2025-10-02T03:04:05Z', durationMs: 10 },
    { name: 'New', state: 'COMPLETED', started, durationMs: 20 },
  ]
  const { importExecution } = await executions.run(
    `mutation ($input: ImportExecutionInput!) { importExecution(input: $input) {
      durationMs testCaseResults { durationMs } } }`,
    { input: { name: 'Months', scenarios } },
  )
  expect(importExecution).toEqual({
    durationMs: null,
    testCaseResults: [{ durationMs: 10 }, { durationMs: 20 }],
  })
})

test('the same key stores nothing twice, and another request under it is refused', async () => {
  const input = { name: 'Twice', scenarios: SCENARIOS.slice(0, 1), idempotencyKey: 'import-1' }
  const first = await executions.run(IMPORT, { input })
  const second = await executions.run(IMPORT, { input })
  expect(second.importExecution.id).toBe(first.importExecution.id)
  const other = { ...input, name: 'Other' }
  expect(await executions.refused(IMPORT, { input: other })).toEqual([
    'IDEMPOTENCY_MISMATCH',
    expect.any(String),
  ])
})

test.each([
  [
    'no scenario',
    { scenarios: [] },
    /^scenarios: none in the import, expected at least one: add what was run$/,
  ],
  ['a name without text', { name: ' ' }, /^name: expected a text/],
  [
    'a try that was good',
    { scenarios: [{ name: 'a', state: 'COMPLETED', tries: [{ state: 'COMPLETED' }] }] },
    /^scenarios\.0\.tries\.0\.state: expected FAILED or ERROR/,
  ],
  [
    'a time below zero',
    { scenarios: [{ name: 'a', state: 'COMPLETED', durationMs: -1 }] },
    /^scenarios\.0\.durationMs: expected 0 to/,
  ],
  [
    'a time that PostgreSQL does not have',
    { scenarios: [{ name: 'a', state: 'COMPLETED', started: '0000-01-01T00:00:00Z' }] },
    /^\$input\.scenarios\[0\]\.started: expected DateTime \(such as 2026-01-31T08:15:00Z\)/,
  ],
])('%s is refused', async (_, more, message) => {
  const input = { name: 'Bad', scenarios: SCENARIOS, ...more }
  expect(await executions.refused(IMPORT, { input })).toEqual([
    'BAD_USER_INPUT',
    expect.stringMatching(message),
  ])
})

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const HOUR = 3_600_000

test.each([
  ['hours ahead, as of a zone that no one named', [{ started: ago(-9 * HOUR), durationMs: 5_000 }]],
  ['not known', [{ durationMs: 1_000_000 }]],
  ['of year 1', [{ started: '0001-01-01T00:00:00Z' }]],
  ['of 1970', [{ started: '1970-01-01T00:00:00Z', durationMs: 5 }]],
  ['of 9999', [{ started: '9999-12-31T23:59:59Z', durationMs: 604_800_000 }]],
  [
    'a placeholder beside a true one',
    [{ started: ago(HOUR) }, { started: '2099-01-01T00:00:00Z' }],
  ],
  [
    'ahead for a try',
    [{ tries: [{ state: 'FAILED', started: ago(-HOUR), durationMs: 1_000_000 }] }],
  ],
])('no result ends after its import whose time is %s', async (_, given) => {
  const scenarios = given.map((each, at) => ({ name: `${at}`, state: 'COMPLETED', ...each }))
  const { importExecution } = await executions.run(
    `mutation ($input: ImportExecutionInput!) { importExecution(input: $input) {
      started ended testCaseResults { started ended } } }`,
    { input: { name: 'Times', scenarios } },
  )
  for (const each of [importExecution, ...importExecution.testCaseResults]) {
    expect(new Date(each.ended).getTime()).toBeLessThanOrEqual(Date.now())
    expect(new Date(each.started).getTime()).toBeGreaterThan(Date.now() - 8 * 24 * HOUR)
  }
})

test('results of a zone ahead keep their order, and exact ones beside them their time', async () => {
  const exact = ago(2 * HOUR)
  const scenarios = [
    { name: 'first', state: 'COMPLETED', started: ago(-8 * HOUR), durationMs: 1_000 },
    { name: 'second', state: 'COMPLETED', started: ago(-9 * HOUR), durationMs: 1_000 },
    { name: 'exact', state: 'COMPLETED', started: exact, durationMs: 1_000 },
  ]
  const { importExecution } = await executions.run(
    `mutation ($input: ImportExecutionInput!) { importExecution(input: $input) {
      testCaseResults { started } } }`,
    { input: { name: 'Zones', scenarios } },
  )
  const [first, second, third] = importExecution.testCaseResults.map((each: { started: string }) =>
    Date.parse(each.started),
  )
  expect(second - first).toBeGreaterThan(0.9 * HOUR)
  expect(third).toBe(Date.parse(exact))
})

const good = { name: 'a', state: 'COMPLETED' }
test.each([
  [1, [good], 'ERROR', 'The tool ended with 1, and none of its results says why'],
  [-9, [{ ...good, state: 'SKIPPED' }], 'ERROR', 'The tool ended with -9'],
  [0, [good], 'COMPLETED', ''],
  [1, [{ ...good, state: 'FAILED' }], 'FAILED', '1 of 1 scenario failed'],
])('an exit code of %s beside %j is %s', async (exitCode, scenarios, state, message) => {
  const input = { name: 'Exit', scenarios, exitCode }
  expect((await executions.run(IMPORT, { input })).importExecution).toMatchObject({
    state,
    message: expect.stringContaining(message),
  })
})

test('warnings are lines of the log, and colours and control characters are left out', async () => {
  const input = {
    name: '\u001b[1mBold\u001b[0m',
    scenarios: [
      {
        name: 'a',
        state: 'FAILED',
        message: '\u001b[31mred\u001b[0m B\u0000C',
        log: '\u001b[2mout',
      },
    ],
    warnings: ['The report counts 2'],
  }
  const { importExecution } = await executions.run(
    `mutation ($input: ImportExecutionInput!) { importExecution(input: $input) {
      contextName log testCaseResults { message log } } }`,
    { input },
  )
  expect(importExecution).toMatchObject({
    ...{ contextName: 'Bold', log: expect.stringContaining('WARN Import  The report counts 2') },
    testCaseResults: [{ message: 'red B\uFFFDC', log: expect.stringMatching(/Import {2}out$/m) }],
  })
})

test('it needs the permission to run', async () => {
  const reader = { ...openCaller('test'), permissions: ['executions:read' as const] }
  const input = { name: 'No', scenarios: SCENARIOS }
  expect((await executions.refused(IMPORT, { input }, reader))[0]).toMatch(
    /FORBIDDEN|UNAUTHENTICATED/,
  )
})

test.each([
  ['text as it is', 'Logging in'],
  ['a wrong end', 'c2hvdA='],
  ['the alphabet of URLs', '-_-_'],
])('a file in %s is refused with its place', async (_what, base64) => {
  const step = { name: 'a', state: 'COMPLETED', attachments: [{ name: 'a.txt', base64 }] }
  const scenario = { name: 'A', state: 'COMPLETED', steps: [{ ...step, attachments: [] }, step] }
  const input = { name: 'Import', scenarios: [scenario] }
  await expect(executions.run(IMPORT, { input })).rejects.toThrow(
    'scenarios.0.steps.1.attachments.0.base64: expected Base64',
  )
})

test('a file in Base64 with broken lines is stored', async () => {
  const attachments = [{ name: 'a.txt', base64: 'c2hv\r\ndA==\n' }]
  const scenario = {
    name: 'A',
    state: 'COMPLETED',
    steps: [{ name: 'a', state: 'COMPLETED', attachments }],
  }
  const { importExecution } = await executions.run(IMPORT, {
    input: { name: 'Lines', scenarios: [scenario] },
  })
  expect(importExecution.testCaseResults[0].steps[0].attachments).toMatchObject([{ size: 4 }])
})
