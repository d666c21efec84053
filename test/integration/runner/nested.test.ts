import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
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

describe('a scenario inside of another', () => {
  const component = { name: 'Inner', language: 'JAVASCRIPT' as const, sourceCode: SOURCE }
  const inner = (scenario: object) => ({
    scenarios: { inner: { name: 'Inner', component, scenario: scenario as never } },
  })
  const steps = [
    {
      id: 'nested',
      scenario: { id: 'inner', variables: { n: 2 } },
      capture: { got: '$.got' },
    },
    call('after', 'echo', ['{{capture.got}}'], { expect: [equals(2)] }),
  ]

  test('runs with its own variables and component, and gives what it captured', async () => {
    const given = inner({
      variables: { n: 1 },
      steps: [call('a', 'echo', ['{{var.n}}'], { capture: { got: '$' } })],
      teardown: [pause('z')],
    })
    const outcome = await execute({ steps }, given)
    expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
    expect(states(outcome)).toEqual([
      'nested COMPLETED',
      'nested/a COMPLETED',
      'nested/z COMPLETED',
      'after COMPLETED',
    ])
    expect(outcome.codeCoverage.map(({ componentName }) => componentName)).toEqual([
      'Component',
      'Inner',
    ])
  })

  test('passes its verdict on', async () => {
    const failing = inner({ steps: [call('a', 'echo', [1], { expect: [equals(3)] })] })
    const outcome = await execute({ steps: [{ id: 'nested', scenario: { id: 'inner' } }] }, failing)
    expect(outcome).toMatchObject({ state: 'FAILED', validationFailures: [{ stepId: 'a' }] })
    const broken = inner({ steps: [call('a', 'fail')] })
    expect(await execute({ steps }, broken)).toMatchObject({
      state: 'ERROR',
      errorCode: 'SCRIPT_ERROR',
    })
  })
})

test('stubs answer in place of components, the first that fits', async () => {
  const rates = { name: 'Rates', language: 'JAVASCRIPT' as const, sourceCode: 'throw new Error()' }
  const stubs = [
    { component: 'rates', function: 'rate', args: ['EUR'], returns: '{{var.rate}}' },
    { component: 'rates', function: 'rate', throws: 'unknown currency' },
    { function: 'fail', returns: null },
  ]
  const rate = (id: string, currency: string, extra: object) => ({
    id,
    call: { component: 'rates', function: 'rate', args: [currency] },
    ...extra,
  })
  const steps = [
    rate('eur', 'EUR', { expect: [equals(1.5)] }),
    rate('usd', 'USD', { negative: true }),
    call('own', 'fail', [], { expect: [equals(null)] }),
  ]
  const given = { components: { rates } }
  const outcome = await execute({ variables: { rate: 1.5 }, stubs, steps }, given)
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  expect(outcome.log).toContain('INFO Rates  rate is answered by a stub')
})

describe('two components with one name', () => {
  const named = (answer: number) => ({
    name: 'Rates',
    language: 'JAVASCRIPT' as const,
    sourceCode: `let calls = 0
      export const rate = () => ${answer} + (calls += 1)`,
  })
  const given = { components: { c1: named(10), c2: named(20) } }
  const rate = (component: string, id: string, value: number) => ({
    id,
    call: { component, function: 'rate' },
    expect: [equals(value)],
  })

  test('run each their own source', async () => {
    const steps = [rate('c1', 'a', 11), rate('c2', 'b', 21), rate('c1', 'c', 12)]
    const outcome = await execute({ steps }, given)
    expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
    expect(outcome.codeCoverage.map(({ componentName }) => componentName)).toEqual([
      'Rates',
      'Rates',
    ])
  })

  test('have each their own stubs', async () => {
    const stubs = [{ component: 'c1', function: 'rate', returns: 0 }]
    const steps = [rate('c1', 'a', 0), rate('c2', 'b', 21)]
    const outcome = await execute({ stubs, steps }, given)
    expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  })
})

test('a component under test keeps its state where a step names it', async () => {
  const component = { name: 'Component', language: 'JAVASCRIPT' as const, sourceCode: SOURCE }
  const steps = [
    call('a', 'count', [], { expect: [equals(1)] }),
    { id: 'b', call: { component: 'c', function: 'count' }, expect: [equals(2)] },
  ]
  const outcome = await execute({ steps }, { components: { c: component } })
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
})
