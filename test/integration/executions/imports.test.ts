import { openCaller } from '../../../subgraphs/platform/access/caller.ts'
import { type RunningExecutions, runExecutions } from '../../_support/running-executions.ts'

let executions: RunningExecutions
beforeAll(async () => {
  executions = await runExecutions()
})
afterAll(() => executions.stop())

const RESULT = `id type state contextId contextName message started ended labels { name value }
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
  { name: 'Later', state: 'SKIPPED', message: 'not today' },
]

test('results that ran elsewhere are an execution with steps, log, files and report', async () => {
  const input = { name: 'Browser', scenarios: SCENARIOS, labels: [{ name: 'build', value: '42' }] }
  const { importExecution } = await executions.run(IMPORT, { input })
  expect(importExecution).toMatchObject({
    ...{ type: 'SUITE', state: 'FAILED', contextId: 'Browser', contextName: 'Browser' },
    message: 'Of 3 scenarios 1 failed, 1 did not run',
    labels: [{ name: 'build', value: '42' }],
    skippedScenarios: [{ name: 'Later', reason: 'not today' }],
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
  [
    'a try that could end in no time of PostgreSQL',
    {
      scenarios: [
        {
          ...{ name: 'a', state: 'COMPLETED' },
          tries: [{ state: 'FAILED', started: '9999-12-31T23:59:59Z', durationMs: 1_000 }],
        },
      ],
    },
    /^scenarios\.0\.tries\.0\.started: expected a time before 9000/,
  ],
])('%s is refused', async (_, more, message) => {
  const input = { name: 'Bad', scenarios: SCENARIOS, ...more }
  expect(await executions.refused(IMPORT, { input })).toEqual([
    'BAD_USER_INPUT',
    expect.stringMatching(message),
  ])
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
