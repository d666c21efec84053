import { badInput } from '../../../../formats/errors.ts'
import { jsonEquals } from '../../../../formats/json/values.ts'
import { callersOf, referencesOf, type Scenario } from '../../../../runner/scenario/scenario.ts'
import type { ArtifactKind } from '../artifact.kind.ts'
import { COMPONENT } from '../component/component.kind.ts'
import { ENVIRONMENT } from '../environment/environment.kind.ts'
import { InputFaults } from '../input-faults.ts'
import { faultsOfScenario, readScenario } from './read-scenario.ts'

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
      needs: TESTCASE,
    }
  },
  properties: {
    componentUnderTest: { type: 'string' },
    environment: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' }, default: [] },
    scenario: { type: 'object' },
    scenarioText: { type: 'string', readOnly: true },
    calledComponents: CALLED,
    calledTestCases: CALLED,
    useCodeCoverage: { type: 'boolean', default: true },
    rerunAfterCrash: { type: 'boolean', default: true },
    retries: { type: 'integer', minimum: 0, maximum: 5, default: 0 },
    quarantine: { type: 'boolean', default: false },
    needs: { type: 'array', items: { type: 'string' }, maxItems: 100, default: [] },
    allowExecuteWithoutCredentials: { type: 'boolean', default: false },
  },
  required: ['scenario'],
  read: async ({ scenario, scenarioText: _, ...given }, evaluation) => ({
    ...given,
    scenario: await readScenario(scenario, evaluation),
    ...(typeof scenario === 'string' && { scenarioText: scenario }),
  }),
  // A client that knows only the object must not lose the comments of a text that says the same.
  keep: (fields, { scenario, scenarioText }) =>
    fields.scenarioText === undefined &&
    scenarioText !== undefined &&
    jsonEquals(fields.scenario, scenario)
      ? { ...fields, scenarioText }
      : fields,
  async check({ scenario, componentUnderTest }, { evaluation }) {
    const [first, ...more] = await faultsOfScenario(scenario, evaluation)
    if (first !== undefined) throw new InputFaults([first, ...more])
    const [caller] = componentUnderTest === undefined ? callersOf(scenario as Scenario) : []
    if (caller !== undefined)
      throw badInput(`componentUnderTest: it is missing, and the step ${caller} calls it`)
  },
  derive({ scenario }) {
    const { components, scenarios } = referencesOf(scenario as Scenario) // it was checked
    return { calledComponents: components, calledTestCases: scenarios }
  },
}
