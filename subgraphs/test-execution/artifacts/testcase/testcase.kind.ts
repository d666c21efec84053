import { validateScenario } from '../../runners/scenario.ts'
import type { ArtifactKind } from '../artifact.kind.ts'

/** A scenario with what it tests. Shares its id space with suites: `/execute/{id}` takes either. */
export const TESTCASE: ArtifactKind = {
  name: 'testcase',
  label: 'testcase',
  idSpace: 'executable',
  references: { componentUnderTest: 'component' },
  validate: ({ scenario }) => void validateScenario(scenario),
}
