import {
  reducedTo,
  stepsOf,
  usesCaptures,
  whyNotJudged,
} from '../../../web/src/repository/trial.ts'

const SCENARIO = {
  variables: { a: 1 },
  dataset: { maxParallel: 4, rows: [{ name: 'first' }, { name: 'second' }] },
  setup: [{ id: 'sign-in', http: { url: '/session' }, capture: { token: '$.token' } }],
  steps: [
    { id: 'pause', wait: { ms: 1 } },
    {
      id: 'read',
      http: { url: '/', headers: { authorization: '{{capture.token}}' } },
      capture: { id: '$.id' },
      negative: true,
      expect: [{ assert: 'status', value: 200 }],
    },
  ],
  teardown: [{ id: 'sign-out', http: { url: '/session' } }],
}
const TRIED = {
  id: 'read',
  http: { url: '/', headers: { authorization: '{{capture.token}}' } },
  capture: { result: '$' },
}

test('a step alone runs over the first row and captures its whole result', () => {
  expect(reducedTo(SCENARIO, 'read', true)).toEqual({
    variables: { a: 1 },
    timeoutMs: 60_000,
    dataset: { rows: [{ name: 'first' }] },
    steps: [TRIED],
  })
})

test('a step with those before it runs behind them and cleans up', () => {
  expect(usesCaptures(SCENARIO, 'read')).toBe(true)
  expect(usesCaptures(SCENARIO, 'pause')).toBe(false)
  expect(reducedTo(SCENARIO, 'read', false)).toMatchObject({
    steps: [SCENARIO.setup[0], SCENARIO.steps[0], TRIED],
    teardown: SCENARIO.teardown,
  })
})

test('a step of the teardown is not run twice, and a step without a result captures nothing', () => {
  expect(reducedTo(SCENARIO, 'sign-out', false)).not.toHaveProperty('teardown')
  expect(reducedTo(SCENARIO, 'pause', true)?.steps).toEqual([{ id: 'pause', wait: { ms: 1 } }])
})

test.each([null, 'text', {}, { steps: null }, { steps: [null, 'a', { id: 1 }] }])(
  'a scenario with faults has no steps: %j',
  (scenario) => {
    expect(stepsOf(scenario)).toEqual([])
    expect(reducedTo(scenario, 'read', true)).toBeNull()
  },
)

test('what needs a run is not judged over a result', () => {
  expect(whyNotJudged({ assert: 'durationMs', value: 5 })).toContain('only in a run')
  expect(whyNotJudged({ assert: 'equals', value: '{{row.a}}' })).toContain('template')
  expect(whyNotJudged({ assert: 'equals', value: 5 })).toBeNull()
})
