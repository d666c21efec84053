import { scenarioFaults } from '../../../runner/scenario/scenario.ts'

const call = { function: 'f' }
const step = (extra: object = {}) => ({ steps: [{ id: 'a', call, ...extra }] })
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])

test.each([
  ['a call with arguments', step({ call: { function: 'f', args: [1, { a: null }] } })],
  ['a wait', { steps: [{ id: 'a', wait: { ms: 5 } }] }],
  [
    'every option',
    { ...step({ name: 'A', timeoutMs: 5, optional: true }), haltAtFailure: true, timeoutMs: 9 },
  ],
  ['an expectation without a value', step({ expect: [{ assert: 'exists' }] })],
  ['an expected null', step({ expect: [{ assert: 'equals', value: null }] })],
  [
    'a path with a filter',
    step({ expect: [{ path: "$.a[?@.b == 'c']", assert: 'count', value: 1 }] }),
  ],
])('accepts %s', (_, scenario) => {
  expect(scenarioFaults(scenario)).toEqual([])
})

test.each([
  ['no object', [], 'scenario must be object'],
  ['no steps', {}, 'scenario lacks steps'],
  ['an empty list', { steps: [] }, 'scenario/steps must NOT have fewer than 1 items'],
  ['an unknown key', { ...step(), colour: 1 }, 'scenario has an unknown key colour'],
  ['an unknown key of a step', step({ colour: 1 }), 'scenario/steps/0 has an unknown key colour'],
  ['no kind', { steps: [{ id: 'a' }] }, 'scenario/steps/0 must have exactly one of call, http, '],
  [
    'two kinds',
    step({ wait: { ms: 1 } }),
    'scenario/steps/0 must have exactly one of call, http, ',
  ],
  ['no function', step({ call: {} }), 'scenario/steps/0/call lacks function'],
  [
    'code as a function',
    step({ call: { function: 'f()' } }),
    'scenario/steps/0/call/function must match',
  ],
  [
    'a repeated id',
    {
      steps: [
        { id: 'a', call },
        { id: 'a', call },
      ],
    },
    'scenario/steps/1/id repeats the id a',
  ],
  [
    'an unknown assert',
    step({ expect: [{ assert: 'is' }] }),
    'scenario/steps/0/expect/0/assert must be one of equals, ',
  ],
  [
    'a prototype key as assert',
    step({ expect: [{ assert: 'toString' }] }),
    'must be one of equals, ',
  ],
  [
    'no expected value',
    step({ expect: [{ assert: 'equals' }] }),
    'scenario/steps/0/expect/0 lacks value',
  ],
  [
    'a wrong expected value',
    step({ expect: [{ assert: 'count', value: '3' }] }),
    'scenario/steps/0/expect/0/value must be integer',
  ],
  [
    'a broken pattern',
    step({ expect: [{ assert: 'matches', value: '(' }] }),
    'scenario/steps/0/expect/0/value must match format "regex"',
  ],
  [
    'a broken path',
    step({ expect: [{ path: 'a.b', assert: 'exists' }] }),
    'scenario/steps/0/expect/0/path is no JSONPath',
  ],
  [
    'a wait for ever',
    { steps: [{ id: 'a', wait: { ms: 1e12 } }] },
    'scenario/steps/0/wait/ms must be <= 3600000',
  ],
  [
    'deep nesting',
    step({ call: { function: 'f', args: [nested(5_000)] } }),
    'scenario is nested too deeply',
  ],
])('refuses %s and says where', (_, scenario, message) => {
  expect(scenarioFaults(scenario)[0]).toContain(message)
})

test('of very many faults the first hundred are named', () => {
  const texts = Array.from({ length: 130_000 }, (_, at) => `{{x${at}}}`)
  const steps = [{ id: 'one', http: { url: '/', text: texts.join('') } }]
  expect(scenarioFaults({ steps })).toHaveLength(100)
})
