import { validateScenario } from '../../runners/scenario.ts'
import type { ArtifactKind } from '../artifact.kind.ts'
import { COMPONENT } from '../component/component.kind.ts'
import { ENVIRONMENT } from '../environment/environment.kind.ts'

/** A scenario with what it tests. Shares its id space with suites: `/execute/{id}` takes either. */
export const TESTCASE: ArtifactKind = {
  name: 'testcase',
  typeName: 'TestCase',
  idSpace: 'executable',
  references: { componentUnderTest: COMPONENT, environment: ENVIRONMENT },
  properties: {
    componentUnderTest: { type: 'string' },
    environment: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' }, default: [] },
    scenario: { type: 'object' },
    useCodeCoverage: { type: 'boolean', default: true },
    allowExecuteWithoutCredentials: { type: 'boolean', default: false },
  },
  required: ['componentUnderTest', 'scenario'],
  check: ({ scenario }) => void validateScenario(scenario),
}
