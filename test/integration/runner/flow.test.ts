import type { RunUpdate } from '../../../runner/run/run-scenario.ts'
import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { withTimeEnough } from '../../support/eventually.ts'
import { pause, states } from '../../support/runner/scenario.ts'
import { MARK, run, survivors } from '../sandbox/run.ts'

const SOURCE = `let calls = 0
export const echo = (value) => value
export const fail = (message = 'no') => { throw new Error(message) }
export const count = () => (calls += 1)
export const hang = () => { for (;;); }
`

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ mode: 'best-effort', limits: { heapMebibytes: MARK } })
})
afterAll(() => sandbox.stop())
afterEach(() => expect(survivors()).toEqual([]))

const call = (id: string, name: string, args: unknown[] = [], extra: object = {}) => ({
  id,
  call: { function: name, args },
  ...extra,
})
const equals = (value: unknown, path = '$') => ({ path, assert: 'equals', value })
const execute = (scenario: object, given: object = {}) =>
  run({ sandbox, source: SOURCE, scenario, ...given })

test('captured values go on, with their type', async () => {
  const steps = [
    call('a', 'echo', [{ id: 7, tags: ['x'] }], { capture: { id: '$.id', tags: '$.tags' } }),
    call('b', 'echo', [{ sum: '{{capture.id}}', text: 'no. {{capture.id}}' }], {
      expect: [equals(7, '$.sum'), equals('no. {{capture.id}}', '$.text')],
    }),
    call('c', 'echo', ['{{capture.nothing}}']),
  ]
  const outcome = await execute({ steps })
  expect(states(outcome)).toEqual(['a COMPLETED', 'b COMPLETED', 'c ERROR'])
  expect(outcome).toMatchObject({
    errorCode: 'UNKNOWN_NAME',
    message: 'The template {{capture.nothing}} names what is not there',
  })
})

test.each(['var.user', 'row.i', 'capture.id', 'setup.token', 'env.MISSING'])(
  'variables that name %s end the execution before its first step',
  async (name) => {
    const variables = { user: 'max', path: `/echo?u={{${name}}}` }
    const outcome = await execute({
      variables,
      dataset: { rows: [{ i: 1 }] },
      setup: [pause('a')],
      steps: [pause('b')],
      teardown: [pause('c')],
    })
    expect(outcome).toMatchObject({
      state: 'ERROR',
      errorCode: 'UNKNOWN_NAME',
      message: `Variables of Scenario: The template {{${name}}} names what is not there`,
      steps: [],
    })
  },
)

test.each(['$.id', '$.items[?@.id==7].name', '$.items[*].name', '$..zzz'])(
  'a capture that finds nothing at %s is an ERROR',
  async (path) => {
    const steps = [call('a', 'echo', [{ items: [{ id: 1 }] }], { capture: { found: path } })]
    expect(await execute({ steps })).toMatchObject({
      errorCode: 'NOTHING_CAPTURED',
      message: `The capture found finds nothing at ${path}`,
    })
  },
)

test('settings are checked again when their templates are filled in', async () => {
  const steps = [{ id: 'a', wait: { ms: '{{var.ms}}' } }]
  expect(await execute({ variables: { ms: 1 }, steps })).toMatchObject({ state: 'COMPLETED' })
  expect(await execute({ variables: { ms: 'long' }, steps })).toMatchObject({
    state: 'ERROR',
    errorCode: 'INVALID_STEP',
    message: 'Step a is not valid: wait/ms must be integer; {{var.ms}} gives text',
  })
  const expectation = { assert: 'count', value: '{{var.ms}}' }
  const expecting = [call('a', 'echo', [[1]], { expect: [expectation] })]
  expect(await execute({ variables: { ms: 'x' }, steps: expecting })).toMatchObject({
    errorCode: 'INVALID_STEP',
    message: 'The expectation is not valid: it/value must be integer; {{var.ms}} gives text',
  })
})

test('a step whose condition does not hold is SKIPPED', async () => {
  const when = (id: string, condition: unknown) => pause(id, { if: condition })
  const actual = '{{var}}'
  const steps = [
    when('yes', '{{var.on}}'),
    when('no', '{{var.off}}'),
    when('equal', { actual: '{{var.on}}', assert: 'equals', value: true }),
    when('there', { actual, path: '$.other', assert: 'exists' }),
    when('unknown', '{{var.other}}'),
  ]
  const outcome = await execute({ variables: { on: true, off: '' }, steps })
  expect(states(outcome)).toEqual([
    'yes COMPLETED',
    'no SKIPPED',
    'equal COMPLETED',
    'there SKIPPED',
    'unknown ERROR',
  ])
})

test.each<[unknown, string]>([
  [{ id: 1 }, 'COMPLETED'],
  [{ assert: 'equals', value: 1, actual: 2 }, 'COMPLETED'],
  [{}, 'COMPLETED'],
  [[0], 'COMPLETED'],
  [[], 'COMPLETED'],
  ['no', 'COMPLETED'],
  [1, 'COMPLETED'],
  [false, 'SKIPPED'],
  [null, 'SKIPPED'],
  [0, 'SKIPPED'],
  ['false', 'SKIPPED'],
  ['', 'SKIPPED'],
])('a step whose condition is a captured %j is %s', async (value, state) => {
  const steps = [
    call('a', 'echo', [value], { capture: { value: '$' } }),
    pause('b', { if: '{{capture.value}}' }),
  ]
  expect(states(await execute({ steps }))).toEqual(['a COMPLETED', `b ${state}`])
})

test('a negative step is COMPLETED when it fails, and FAILED when it does not', async () => {
  const negative = { negative: true }
  const steps = [
    call('throws', 'fail', [], negative),
    call('differs', 'echo', [1], { ...negative, expect: [equals(2)] }),
    call('hangs', 'hang', [], { ...negative, timeoutMs: 200 }),
    call('succeeds', 'echo', [1], negative),
    call('unknown', 'echo', ['{{row.x}}'], negative),
  ]
  const outcome = await execute({ steps })
  expect(states(outcome)).toEqual([
    'throws COMPLETED',
    'differs COMPLETED',
    'hangs COMPLETED',
    'succeeds FAILED',
    'unknown ERROR',
  ])
  expect(outcome.validationFailures).toMatchObject([{ stepId: 'succeeds', assert: 'negative' }])
})

test.each([
  ['as the last step', (hanging: object) => hanging],
  ['within another', (hanging: object) => ({ id: 'p', parallel: { steps: [hanging] } })],
])('a negative step %s does not hide that the time of the scenario is up', async (_, around) => {
  const hanging = { id: 'a', negative: true, wait: { ms: 60_000 } }
  const outcome = await execute({ timeoutMs: 100, steps: [around(hanging)] })
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'TIMEOUT' })
  expect(outcome.steps.map(({ state }) => state)).not.toContain('COMPLETED')
})

test('a negative step does not hide that the log of the execution is too large', async () => {
  const steps = [call('a', 'talk', [], { negative: true })]
  const source = `export function talk() { for (;;) console.log('x'.repeat(1_000)) }`
  expect(await execute({ steps }, { source, limits: { logBytes: 5_000 } })).toMatchObject({
    state: 'ERROR',
    errorCode: 'OUTPUT_LIMIT',
  })
})

test('a component whose process was ended begins anew, for retries too', async () => {
  const steps = [
    call('count', 'count'),
    call('hang', 'hang', [], { optional: true, timeoutMs: 200, retries: { count: 1 } }),
    call('again', 'count', [], { expect: [equals(1)] }),
  ]
  const outcome = await execute({ steps })
  expect(states(outcome)).toEqual(['count COMPLETED', 'hang ERROR', 'again COMPLETED'])
  expect(outcome.log.match(/retry 1 of 1/g)).toHaveLength(1)
})

test('steps in parallel all run, and their places show', async () => {
  const inner = [
    { id: 'slow', wait: { ms: 300 } },
    { id: 'other', wait: { ms: 300 } },
    call('wrong', 'echo', [1], { expect: [equals(2)] }),
  ]
  const outcome = await execute({ steps: [{ id: 'both', parallel: { steps: inner } }, pause('z')] })
  expect(states(outcome)).toEqual([
    'both FAILED',
    'both/slow COMPLETED',
    'both/other COMPLETED',
    'both/wrong FAILED',
    'z COMPLETED',
  ])
  const [, slow, other] = outcome.steps
  expect(other?.started.getTime()).toBeLessThanOrEqual(slow?.ended?.getTime() ?? 0)
  expect(outcome.validationFailures).toMatchObject([{ stepId: 'wrong' }])
})

test('each row runs the steps in processes of its own, and is reported', async () => {
  const scenario = {
    dataset: { rows: [{ n: 1, name: 'one' }, { n: 2 }, { n: 0 }] },
    steps: [
      call('n', 'echo', ['{{row.n}}'], { expect: [{ assert: 'greaterThan', value: 0 }] }),
      call('fresh', 'count', [], { expect: [equals(1)] }),
    ],
  }
  const outcome = await execute(scenario)
  expect(outcome.state).toBe('FAILED')
  expect(states(outcome)).toEqual([
    'row[0] COMPLETED',
    'row[0]/n COMPLETED',
    'row[0]/fresh COMPLETED',
    'row[1] COMPLETED',
    'row[1]/n COMPLETED',
    'row[1]/fresh COMPLETED',
    'row[2] FAILED',
    'row[2]/n FAILED',
    'row[2]/fresh COMPLETED',
  ])
  expect(outcome.steps[0]).toMatchObject({ kind: 'row', name: 'one', datasetRow: 0 })
  expect(outcome.validationFailures).toMatchObject([{ stepId: 'n', datasetRow: 2 }])
  expect(outcome.codeCoverage).toMatchObject([{ executionCount: 3, hitLines: [1, 2, 3, 4, 5] }])
})

test('rows run in parallel; one that is an ERROR keeps no other from running', async () => {
  const rows = [{ f: 'fail' }, { f: 'echo' }, { f: 'echo' }]
  const steps = [call('a', '{{row.f}}'), { id: 'b', wait: { ms: 50 } }]
  const outcome = await execute({ dataset: { rows, maxParallel: 3 }, steps })
  expect(outcome).toMatchObject({
    state: 'ERROR',
    errorCode: 'SCRIPT_ERROR',
    message: expect.stringContaining('Row 0: Error: no'),
  })
  const ended = states(outcome).sort()
  expect(ended.filter((each) => each.endsWith('COMPLETED'))).toHaveLength(6)
  expect(ended).toContain('row[0]/b SKIPPED')
})

test('rows and steps have the code of an ERROR that counts', async () => {
  const outcome = await execute({
    dataset: { rows: [{ f: 'echo' }, { f: 'fail' }] },
    steps: [call('tried', 'fail', [], { optional: true }), call('a', '{{row.f}}')],
    teardown: [call('close', 'echo', ['{{capture.nothing}}'])],
  })
  const codes = outcome.steps.map(({ path, errorCode }) => [path, errorCode])
  expect(codes.filter(([, code]) => code !== undefined)).toEqual([
    ['row[1]', 'SCRIPT_ERROR'],
    ['row[1]/a', 'SCRIPT_ERROR'],
    ['close', 'UNKNOWN_NAME'],
  ])
})

test('with haltAtFailure no further row begins', async () => {
  const rows = [{ n: 1 }, { n: 2 }]
  const steps = [call('a', 'echo', ['{{row.n}}'], { expect: [equals(2)] })]
  const outcome = await execute({ dataset: { rows }, steps, haltAtFailure: true })
  expect(states(outcome)).toEqual(['row[0] FAILED', 'row[0]/a FAILED', 'row[1] SKIPPED'])
})

test('setup comes first and teardown last, also after an ERROR, and sees what was captured', async () => {
  const setup = [call('open', 'echo', [{ id: 7 }], { capture: { id: '$.id' } })]
  const teardown = [
    call('broken', 'fail'),
    call('close', 'echo', ['{{capture.id}}'], { expect: [equals(7)] }),
  ]
  const steps = [call('a', 'fail', ['first']), pause('b')]
  const outcome = await execute({ setup, steps, teardown })
  expect(states(outcome)).toEqual([
    'open COMPLETED',
    'a ERROR',
    'b SKIPPED',
    'broken ERROR',
    'close COMPLETED',
  ])
  expect(outcome.message).toContain('Error: first')
})

test('the teardown runs when the time of the scenario is up, with components alive again', async () => {
  const steps = [call('a', 'hang', [], { timeoutMs: 600_000 }), pause('b')]
  const teardown = [call('close', 'echo', [1], { expect: [equals(1)] })]
  await withTimeEnough(1_000, async (timeoutMs) => {
    const outcome = await execute({ timeoutMs, steps, teardown })
    expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'TIMEOUT' })
    expect(states(outcome)).toEqual(['a ERROR', 'b SKIPPED', 'close COMPLETED'])
  })
})

/** Cancels once the first step of a teardown runs. @param end of what may still run then */
const cancelledInTeardown = (
  mayRun: (end: AbortController) => Promise<boolean>,
  scenario: object,
  given = {},
) => {
  const cancel = new AbortController()
  const end = new AbortController()
  return execute(scenario, {
    signal: AbortSignal.any([cancel.signal, end.signal]),
    teardown: { signal: end.signal, mayRun: () => mayRun(end) },
    onUpdate(update: RunUpdate) {
      if (update.kind === 'STEP' && update.step.id === 'close') cancel.abort()
    },
    ...given,
  })
}

test('a teardown goes on when the run is cancelled meanwhile, that of an inner scenario, too', async () => {
  const teardown = [
    { id: 'close', wait: { ms: 50 } },
    call('more', 'echo', [1], { expect: [equals(1)] }),
  ]
  const mayRun = () => Promise.resolve(true)
  const outcome = await cancelledInTeardown(mayRun, { steps: [pause('a')], teardown })
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'CANCELLED' })
  expect(states(outcome)).toEqual(['a COMPLETED', 'close COMPLETED', 'more COMPLETED'])

  const component = { name: 'Inner', language: 'JAVASCRIPT', sourceCode: SOURCE }
  const inner = { name: 'Inner', component, scenario: { steps: [pause('a')], teardown } }
  const nested = await cancelledInTeardown(
    mayRun,
    { steps: [{ id: 'n', scenario: { id: 'inner' } }, pause('b')], teardown: [pause('last')] },
    { scenarios: { inner } },
  )
  expect(nested).toMatchObject({ state: 'ERROR', errorCode: 'CANCELLED' })
  expect(states(nested)).toEqual([
    expect.stringMatching(/^n /),
    'n/a COMPLETED',
    'n/close COMPLETED',
    'n/more COMPLETED',
    expect.stringMatching(/^b /),
    'last COMPLETED',
  ])
})

test.each<[string, (end: AbortController) => Promise<boolean>]>([
  ['nothing may run any more', async () => false],
  [
    'what may is ended',
    async (end) => {
      end.abort()
      return true
    },
  ],
])('a teardown ends at once where %s', async (_, mayRun) => {
  const teardown = [{ id: 'close', wait: { ms: 600_000 } }, pause('more')]
  const outcome = await cancelledInTeardown(mayRun, { steps: [pause('a')], teardown })
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'CANCELLED' })
  expect(states(outcome)).toEqual(['a COMPLETED', 'close ERROR', 'more ERROR'])
})

test('time that runs out between rows is an ERROR', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({ n }))
  const scenario = { dataset: { rows }, steps: [{ id: 'a', wait: { ms: 60 } }], timeoutMs: 300 }
  const outcome = await execute(scenario)
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'TIMEOUT' })
  expect(states(outcome)).toContain('row[19] SKIPPED')
})

test('without a good setup the steps do not run', async () => {
  const setup = [call('open', 'echo', [1], { expect: [equals(2)] })]
  const outcome = await execute({ setup, steps: [pause('a')] })
  expect(outcome.state).toBe('FAILED')
  expect(states(outcome)).toEqual(['open FAILED', 'a SKIPPED'])
})

test('an execution has so many steps and so much log, and its teardown besides', async () => {
  const rows = Array.from({ length: 20 }, () => ({}))
  const teardown = [pause('close')]
  const tooMany = await execute(
    { dataset: { rows }, steps: [pause('a')], teardown },
    { limits: { steps: 10 } },
  )
  expect(tooMany).toMatchObject({
    state: 'ERROR',
    errorCode: 'STEP_LIMIT',
    message: expect.stringContaining('The execution has more than 10 steps'),
  })
  expect(states(tooMany).at(-1)).toBe('close COMPLETED')
  const steps = [
    call('a', 'say', ['x'.repeat(600)]),
    call('b', 'say', ['x'.repeat(600)]),
    pause('c'),
  ]
  const source = 'export const say = (text) => console.log(text)'
  const tooMuch = await execute({ steps, teardown }, { source, limits: { logBytes: 1_000 } })
  expect(tooMuch).toMatchObject({
    state: 'ERROR',
    errorCode: 'OUTPUT_LIMIT',
    message: 'The log of the execution is larger than 1000 bytes',
  })
  expect(states(tooMuch).at(-1)).toBe('close COMPLETED')
  expect(tooMuch.log.length).toBeLessThan(2_000)
})

test('the last step may exceed no limit either, nor may the teardown', async () => {
  const source = 'export const say = (text) => console.log(text)'
  const long = call('last', 'say', ['x'.repeat(600)])
  const unmet = pause('last', { expect: [{ assert: 'equals', value: 'x'.repeat(600) }] })
  const log = { limits: { logBytes: 600 }, source }
  for (const [scenario, given] of [
    [{ steps: [long] }, log],
    [{ steps: [{ ...long, optional: true }] }, log],
    [{ steps: [pause('a')], teardown: [long] }, log],
    [{ steps: [unmet] }, { limits: { failures: 600 } }],
  ] as const)
    expect(await execute(scenario, given)).toMatchObject({
      state: 'ERROR',
      errorCode: 'OUTPUT_LIMIT',
    })
})

test('case does not count where the scenario says so', async () => {
  const expectations = [
    equals({ name: 'ANN' }),
    { path: '$.name', assert: 'contains', value: 'N' },
    { path: '$.name', assert: 'matches', value: '^A' },
  ]
  const steps = [call('a', 'echo', [{ name: 'ann' }], { expect: expectations })]
  expect(await execute({ steps, caseInsensitiveCompare: true })).toMatchObject({
    state: 'COMPLETED',
  })
  expect((await execute({ steps })).validationFailures).toHaveLength(3)
})
