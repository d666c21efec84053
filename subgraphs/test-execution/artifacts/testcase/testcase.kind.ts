import { readScenario, referencesOf, validateScenario } from '../../runners/scenario.ts'
import type { ArtifactKind } from '../artifact.kind.ts'
import { COMPONENT } from '../component/component.kind.ts'
import { ENVIRONMENT } from '../environment/environment.kind.ts'

/** Ids of what its steps name. */
const CALLED = { type: 'array', items: { type: 'string' }, readOnly: true }

/** A scenario with what it tests. Shares its id space with suites: `/execute/{id}` takes either. */
export const TESTCASE: ArtifactKind = {
  name: 'testcase',
  typeName: 'TestCase',
  idSpace: 'executable',
  get references() {
    return {
      componentUnderTest: COMPONENT,
      environment: ENVIRONMENT,
      calledComponents: COMPONENT,
      calledTestCases: TESTCASE,
    }
  },
  properties: {
    componentUnderTest: { type: 'string' },
    environment: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' }, default: [] },
    scenario: { type: 'object' },
    calledComponents: CALLED,
    calledTestCases: CALLED,
    useCodeCoverage: { type: 'boolean', default: true },
    rerunAfterCrash: { type: 'boolean', default: true },
    allowExecuteWithoutCredentials: { type: 'boolean', default: false },
  },
  required: ['componentUnderTest', 'scenario'],
  read: async ({ scenario, ...given }) => ({ ...given, scenario: await readScenario(scenario) }),
  check: ({ scenario }) => void validateScenario(scenario),
  derive({ scenario }) {
    const { components, scenarios } = referencesOf(validateScenario(scenario))
    return { calledComponents: components, calledTestCases: scenarios }
  },
}
