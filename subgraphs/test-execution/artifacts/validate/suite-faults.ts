import { AppError } from '../../../../formats/errors.ts'
import { isAmong } from '../../../../runner/scenario/names.ts'
import type { Scenario } from '../../../../runner/scenario/scenario.ts'
import { namedIn } from '../../../../runner/scenario/template.ts'
import { type GivenArtifact, type GivenFault, inOrder, nameOf } from '../apply/given-artifacts.ts'
import { SUITE } from '../suite/suite.kind.ts'
import { TESTCASE } from '../testcase/testcase.kind.ts'

/** Faults between artifacts that come together: circles, and captures that a setup does not make. */
export const suiteFaults = (given: readonly GivenArtifact[]): GivenFault[] => [
  ...circles(given),
  ...given.filter(({ kind }) => kind === SUITE).flatMap((suite) => setupFaults(suite, given)),
]

function circles(given: readonly GivenArtifact[]): GivenFault[] {
  try {
    inOrder(given)
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [{ title: 'artifacts', message: error.message }]
  }
}

function setupFaults({ id, fields }: GivenArtifact, given: readonly GivenArtifact[]): GivenFault[] {
  const scenarios = new Map(
    given.filter(({ kind }) => kind === TESTCASE).map((each) => [each.id, each]),
  )
  const setup = scenarios.get(String(fields.setup))
  if (!setup) return []
  const captured = capturesOf(setup)
  const members = [fields.testCases, fields.teardown]
    .flat()
    .map((each) => scenarios.get(String(each)))
  return members.flatMap((member) => {
    const used = new Set(namedIn(member?.fields.scenario, 'setup'))
    return [...used]
      .filter((name) => !isAmong(captured, name))
      .map((name) => ({
        title: member ? nameOf(member) : '',
        message: `it uses {{setup.${name}}}, which ${setup.id}, the setup of the suite ${id}, does not capture`,
      }))
  })
}

/** Rows and scenarios inside of steps keep their captures to themselves. */
function capturesOf({ fields }: GivenArtifact): Set<string> {
  const { setup = [], steps, teardown = [], dataset } = fields.scenario as Scenario // it was read
  const own = [...setup, ...(dataset ? [] : steps), ...teardown]
  return new Set(own.flatMap(({ capture = {} }) => Object.keys(capture)))
}
