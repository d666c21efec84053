import { type Scenario, stepsOfTry, type Try, treeOf } from '../../../web/src/executions/tree.ts'
import type { StepFragment } from '../../../web/src/graph/generated.ts'
import { pairsOf } from '../../../web/src/trends/pairs.ts'

const CANCEL = 'Cancelled by ada'

const step = (path: string, fields: Partial<StepFragment> = {}): StepFragment => ({
  stepId: path,
  path,
  name: path,
  kind: 'http',
  state: 'COMPLETED',
  isOptional: false,
  started: '2026-11-28T00:00:00Z',
  durationMs: 1,
  attempts: 1,
  message: null,
  datasetRow: null,
  attachments: [],
  ...fields,
})

const STEPS = [
  step('sign-in', { state: 'FAILED', isOptional: true, message: '503 instead of 200' }),
  step('offers', { isOptional: true }),
  step('offers/read', { state: 'ERROR', message: 'no answer' }),
  step('order', { state: 'FAILED', message: '500 instead of 201' }),
  step('pay', { state: 'ERROR', message: CANCEL }),
]

const SCENARIO: Scenario = {
  id: 'execution',
  type: 'TEST',
  contextId: 'shop',
  contextName: 'Shop',
  labels: [],
  state: 'ERROR',
  started: '2026-11-28T00:00:00Z',
  ended: '2026-11-28T00:01:00Z',
  executedBy: 'ada',
  message: CANCEL,
  errorCode: 'CANCELLED',
  isFlaky: false,
  isQuarantined: false,
  ...{ startedBy: 'USER' as const, againOf: null, again: null },
  suiteResult: null,
  progress: { scenarios: 1, scenariosEnded: 1, queuePosition: null },
  useCodeCoverage: false,
  skippedScenarios: [],
  environment: null,
  revisions: [],
  steps: STEPS,
  validationFailures: [],
  log: [],
}

const tried = (fields: Partial<Try>): Try => ({
  started: '2026-11-28T00:00:00Z',
  ended: '2026-11-28T00:00:30Z',
  state: 'FAILED',
  message: '500 instead of 201',
  errorCode: null,
  steps: STEPS,
  validationFailures: [],
  ...fields,
})

const statesOf = (of: Try) => stepsOfTry(SCENARIO, of).map(({ key, state }) => [key, state])

test('steps of an earlier try that failed are optional where they, or what they stand in, are', () => {
  expect(statesOf(tried({}))).toEqual([
    ['sign-in', 'FAILED_OPTIONAL'],
    ['offers', 'COMPLETED'],
    ['offers/read', 'ERROR_OPTIONAL'],
    ['order', 'FAILED'],
    ['pay', 'ERROR'],
  ])
})

test('steps of a try are cancelled with their own try, not with the last one', () => {
  const last = (of: Try) => statesOf(of).at(-1)
  expect(last(tried({ message: CANCEL }))).toEqual(['pay', 'ERROR'])
  expect(last(tried({ state: 'ERROR', message: CANCEL, errorCode: 'CANCELLED' }))).toEqual([
    'pay',
    'CANCELLED',
  ])
})

test('compared steps are optional and cancelled as those of an execution alone', () => {
  const { log, ...detail } = { ...SCENARIO, steps: STEPS, testCaseResults: [] }
  const before = { ...detail, steps: STEPS.map(({ path }) => step(path ?? '')) }
  expect(pairsOf(before, detail).map((pair) => [pair.before?.state, pair.after?.state])).toEqual([
    ['COMPLETED', 'FAILED_OPTIONAL'],
    ['COMPLETED', 'COMPLETED'],
    ['COMPLETED', 'ERROR_OPTIONAL'],
    ['COMPLETED', 'FAILED'],
    ['COMPLETED', 'CANCELLED'],
  ])
})

test('steps of a suite itself stand below its scenarios, as those of skipped tests that left files', () => {
  const attachments = [{ id: 'f', name: 'shot.png', size: 4 }]
  const left = step('step[0]', { name: 'left out', state: 'SKIPPED', attachments })
  const root: Scenario = { ...SCENARIO, id: 'suite', type: 'SUITE', steps: [left] }
  const nodes = treeOf({ root, scenarios: [{ ...SCENARIO, steps: [] }] })
  expect(nodes).toMatchObject([
    { key: 'execution', depth: 0 },
    { key: 'step[0]', depth: 0, name: 'left out', state: 'SKIPPED', step: { attachments } },
  ])
})
