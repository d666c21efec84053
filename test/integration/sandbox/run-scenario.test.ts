import type { RunUpdate } from '../../../runner/run/run-scenario.ts'
import { listOfWalls } from '../../../runner/sandbox/capabilities.ts'
import type { Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { MODES, run, sandboxed, survivors } from './run.ts'

const TAX = `const bands = [[10_000, 0.1], [50_000, 0.2]]
let asked = 0

export function tax(income) {
  asked += 1
  if (income < 0) {
    throw new RangeError('An income cannot be negative')
  }
  const [, share] = bands.find(([limit]) => income <= limit) ?? [0, 0.3]
  return { income, tax: income * share, asked }
}
`

const call = (
  id: string,
  name: string,
  args: unknown[] = [],
  expect: object[] = [],
  extra = {},
) => ({
  id,
  call: { function: name, args },
  expect,
  ...extra,
})
const equals = (value: unknown, path = '$') => ({ path, assert: 'equals', value })

describe.each(MODES)('in %s mode', (_, create) => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await create()
  })
  afterEach(() => expect(survivors()).toEqual([]))
  afterAll(async () => {
    await sandbox.stop()
    expect(sandboxed()).toEqual([])
  })

  test('a scenario whose expectations hold is COMPLETED; its module keeps its state between the steps', async () => {
    const steps = [
      call('low', 'tax', [1_000], [equals(100, '$.tax')]),
      { id: 'pause', wait: { ms: 1 } },
      call('high', 'tax', [20_000], [equals(4_000, '$.tax'), equals(2, '$.asked')]),
    ]
    const outcome = await run({ sandbox, source: TAX, scenario: { steps } })
    expect(outcome).toMatchObject({
      state: 'COMPLETED',
      message: '',
      errorCode: null,
      validationFailures: [],
    })
    expect(outcome.steps.map(({ id, state }) => [id, state])).toEqual([
      ['low', 'COMPLETED'],
      ['pause', 'COMPLETED'],
      ['high', 'COMPLETED'],
    ])
    expect(outcome.codeCoverage).toMatchObject([
      {
        componentName: 'Component',
        hitLines: [1, 2, 5, 6, 9, 10],
        untouchedLines: [7],
        coveragePercentage: 86,
        sourceCode: TAX,
        executionCount: 1,
      },
    ])
  })

  test('an edit of the source changes the lines that are hit', async () => {
    const steps = [call('low', 'tax', [-1])]
    const outcome = await run({ sandbox, source: `\n${TAX}`, scenario: { steps } })
    expect(outcome.codeCoverage).toMatchObject([
      { hitLines: [2, 3, 6, 7, 8], untouchedLines: [10, 11] },
    ])
  })

  test('without coverage there is none', async () => {
    const steps = [call('low', 'tax', [1])]
    const outcome = await run({ sandbox, source: TAX, scenario: { steps }, useCodeCoverage: false })
    expect(outcome).toMatchObject({ state: 'COMPLETED', codeCoverage: [] })
  })

  test('a false expectation is FAILED, and the next steps run', async () => {
    const steps = [
      call('a', 'tax', [1_000], [equals(1, '$.tax')]),
      call('b', 'tax', [1], [equals(0.1, '$.tax')]),
    ]
    const outcome = await run({ sandbox, source: TAX, scenario: { steps } })
    const message = 'Expected that $.tax equals 1, but it is 100'
    expect(outcome).toMatchObject({ state: 'FAILED', message, errorCode: null })
    expect(outcome.steps.map(({ state }) => state)).toEqual(['FAILED', 'COMPLETED'])
    expect(outcome.validationFailures).toEqual([
      {
        name: '$.tax equals',
        message,
        stepId: 'a',
        path: '$.tax',
        assert: 'equals',
        expectedValue: 1,
        actualValue: 100,
        datasetRow: null,
      },
    ])
  })

  test('with haltAtFailure the rest is SKIPPED', async () => {
    const steps = [call('a', 'tax', [1], [equals(1)]), call('b', 'tax', [1])]
    const outcome = await run({ sandbox, source: TAX, scenario: { steps, haltAtFailure: true } })
    expect(outcome.steps.map(({ state }) => state)).toEqual(['FAILED', 'SKIPPED'])
  })

  test.each([
    [
      'throws',
      call('a', 'tax', [-1]),
      'SCRIPT_ERROR',
      'RangeError: An income cannot be negative (Component, line 7)',
    ],
    ['is not there', call('a', 'vat'), 'NO_SUCH_FUNCTION', 'The component exports no function vat'],
    [
      'is inherited',
      call('a', 'toString'),
      'NO_SUCH_FUNCTION',
      'The component exports no function toString',
    ],
  ])(
    'a function that %s is an ERROR, and the rest is SKIPPED',
    async (_, step, errorCode, message) => {
      const scenario = { steps: [step, call('b', 'tax', [1])] }
      const outcome = await run({ sandbox, source: TAX, scenario })
      expect(outcome).toMatchObject({ state: 'ERROR', errorCode, message })
      expect(outcome.steps).toMatchObject([{ state: 'ERROR', message }, { state: 'SKIPPED' }])
    },
  )

  test('an optional step changes nothing but itself', async () => {
    const optional = { optional: true }
    const steps = [
      call('a', 'tax', [-1], [], optional),
      call('b', 'tax', [1], [equals(1)], optional),
      call('c', 'tax', [1]),
    ]
    const outcome = await run({ sandbox, source: TAX, scenario: { steps } })
    expect(outcome).toMatchObject({ state: 'COMPLETED', message: '', validationFailures: [] })
    expect(outcome.steps.map(({ state }) => state)).toEqual(['ERROR', 'FAILED', 'COMPLETED'])
  })

  test('TypeScript runs, and its lines are its own', async () => {
    const source =
      'enum Band { Low = 1 }\n\nexport function f(n: number): Band {\n  if (n > 1) {\n    throw new Error("high")\n  }\n  return Band.Low\n}\n'
    const steps = [call('a', 'f', [1], [equals(1)]), call('b', 'f', [2])]
    const outcome = await run({ sandbox, source, language: 'TYPESCRIPT', scenario: { steps } })
    expect(outcome.message).toBe('Error: high (Component, line 5)')
    expect(outcome.codeCoverage).toMatchObject([{ hitLines: [4, 5, 7], coveragePercentage: 100 }])
  })

  test.each([
    ['that does not parse', 'export function f() {\n  return (\n}', 'SYNTAX_ERROR', 'line 3'],
    ['that throws while it loads', '\nnull.x\nexport const f = 1', 'SCRIPT_ERROR', 'line 2'],
    ['that imports a file', "import './other.js'", 'FORBIDDEN', 'cannot import ./other.js'],
    ['that is too large', ' '.repeat(300_000), 'MESSAGE_LIMIT', 'larger than'],
  ])('a source %s is an ERROR that says where', async (_, source, errorCode, part) => {
    const outcome = await run({ sandbox, source })
    expect(outcome).toMatchObject({ state: 'ERROR', errorCode, steps: [{ state: 'SKIPPED' }] })
    expect(outcome.message).toContain(part)
  })

  test('harmless built-in modules are there', async () => {
    const source = `import assert from 'node:assert'
      import { join } from 'path'
      import { setTimeout } from 'node:timers/promises'
      import { inspect } from 'node:util'
      export async function f() {
        await setTimeout(1)
        assert.equal(join('a', inspect(1)), 'a/1')
        return Buffer.from(new TextEncoder().encode('*'))[0]
      }`
    expect(await run({ sandbox, source })).toMatchObject({ state: 'COMPLETED', message: '' })
  })

  test('the scenario has a limit of its own', async () => {
    const scenario = { timeoutMs: 300, steps: [{ id: 'a', wait: { ms: 60_000 } }] }
    const outcome = await run({ sandbox, source: TAX, scenario })
    expect(outcome).toMatchObject({
      state: 'ERROR',
      errorCode: 'TIMEOUT',
      message: 'The scenario took longer than 300 ms',
    })
  })

  test('so has loading a component', async () => {
    const hurried = await create({ loadMs: 300 })
    const outcome = await run({ sandbox: hurried, source: 'for (;;);' })
    await hurried.stop()
    expect(outcome).toMatchObject({
      state: 'ERROR',
      errorCode: 'TIMEOUT',
      message: 'Loading the component Component took longer than 300 ms',
    })
  })

  test('cancelled, it ends at once and leaves no process', async () => {
    const controller = new AbortController()
    const onUpdate = (update: RunUpdate) => {
      if (update.kind === 'STEP') setTimeout(() => controller.abort(), 50)
    }
    const running = run({
      sandbox,
      source: 'export function f() { for (;;); }',
      signal: controller.signal,
      onUpdate,
    })
    const outcome = await running
    expect(outcome).toMatchObject({
      state: 'ERROR',
      errorCode: 'CANCELLED',
      message: 'The execution was cancelled',
    })
  })

  test('cancelled before it starts, nothing runs', async () => {
    const outcome = await run({ sandbox, source: TAX, signal: AbortSignal.abort() })
    expect(outcome).toMatchObject({
      state: 'ERROR',
      errorCode: 'CANCELLED',
      steps: [{ state: 'SKIPPED' }],
    })
  })

  test('steps and log lines arrive in order while it runs', async () => {
    const updates: string[] = []
    const source =
      'export function f() { console.log("one\\ntwo %d", 3); console.error("four"); return 42 }'
    const outcome = await run({
      sandbox,
      source,
      onUpdate: (update) => {
        if (update.kind === 'STEP') updates.push(`${update.step.id} ${update.step.state}`)
        else updates.push(...update.lines.map((line) => line.slice(13)))
      },
    })
    const { missing } = sandbox.capabilities
    const warnings =
      missing.length === 0 ? [] : [`WARN Execution  Code runs without: ${listOfWalls(missing)}`]
    expect(updates).toEqual([
      'INFO Execution  Scenario starts',
      ...warnings,
      'f RUNNING',
      'INFO Component  one',
      'INFO Component  two 3',
      'ERROR Component  four',
      expect.stringMatching(/^INFO Execution {2}Step f COMPLETED \(\d+ ms\)$/),
      'f COMPLETED',
      'INFO Execution  Scenario COMPLETED',
    ])
    expect(outcome.log.split('\n')).toHaveLength(6 + warnings.length)
    expect(outcome.log).toMatch(/^(\d\d:\d\d:\d\d\.\d{3} (INFO|WARN|ERROR) \S+ {2}.*(\n|$))+$/)
  })

  test('the password of the host never shows', async () => {
    const password = 'tres "secret"'
    const steps = [
      call(
        'a',
        'f',
        [password],
        [equals('x'), { name: password, assert: 'contains', value: password }],
      ),
      call('b', 'g', [password], [], { name: `with ${password}` }),
    ]
    const updates: RunUpdate[] = []
    const outcome = await run({
      sandbox,
      source:
        'export const f = (word) => { console.log(word, [word]); return { word } }\nexport const g = (word) => { throw new Error(word) }',
      scenario: { steps },
      credentials: { userId: 'ann', password },
      onUpdate: (update) => updates.push(update),
    })
    expect(outcome).toMatchObject({
      state: 'ERROR',
      message: expect.stringContaining('Error: ***'),
    })
    const everything = JSON.stringify([outcome, updates])
    expect(everything).not.toContain('tres')
    expect(everything).not.toContain('secret')
  })
})
