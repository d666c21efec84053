import { validateScenario } from '../../runners/scenario.ts'
import type { ArtifactKind } from '../artifact.kind.ts'

/** A scenario with what it tests. Shares its id space with suites: `/execute/{id}` takes either. */
export const TESTCASE: ArtifactKind = {
  name: 'testcase',
  label: 'testcase',
  idSpace: 'executable',
  references: { componentUnderTest: 'component' },
  properties: {
    componentUnderTest: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' }, default: [] },
    scenario: { type: 'object' },
    useCodeCoverage: { type: 'boolean', default: true },
    allowExecuteWithoutCredentials: { type: 'boolean', default: false },
  },
  required: ['componentUnderTest', 'scenario'],
  check: ({ scenario }) => void validateScenario(scenario),
}
