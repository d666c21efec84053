import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { ASSERTS } from '../../../runner/expectations/asserts.ts'
import { RUN_ERROR_CODES } from '../../../runner/run/error.ts'
import { scenarioFaults } from '../../../runner/scenario/scenario.ts'
import { SCENARIO_SCHEMA } from '../../../runner/scenario/schema.ts'
import { STEP_KIND_NAMES } from '../../../runner/steps/step-kinds.ts'

const page = readFileSync(new URL('../../../docs/reference/scenarios.md', import.meta.url), 'utf8')

test('the scenario on the page is valid', () => {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const scenario = parse(yaml)
  expect(scenarioFaults(scenario)).toEqual([])
  expect(scenario.steps).toHaveLength(2)
})

test.each([
  ['key of a scenario', Object.keys(SCENARIO_SCHEMA.properties)],
  ['key of a step', Object.keys(SCENARIO_SCHEMA.$defs.step.properties)],
  ['kind of step', STEP_KIND_NAMES],
  ['assert', Object.keys(ASSERTS)],
])('docs/reference/scenarios.md explains every %s', (_, words) => {
  expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([])
})

test('docs/reference/errors.md explains every code of an execution', () => {
  const errors = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8')
  const codes = [
    ...Object.keys(RUN_ERROR_CODES),
    ...['SCENARIO_ERROR', 'SECRETS_UNREADABLE', 'WORKER_LOST'],
  ]
  expect(codes.filter((code) => !errors.includes(`\n| \`${code}\` | `))).toEqual([])
})
