import { GraphQLScalarType } from 'graphql'
import { GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars'
import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { Artifact, artifactOf } from '../artifact.type.ts'
import { connectionType } from '../list/connection.type.ts'

/** Checked where it is used, as a message about a scalar would show all of it. */
export const ScenarioInput = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  name: 'ScenarioInput',
  description: 'A scenario: an object, or a text with the same as YAML.',
  specifiedByURL: null,
})

@ObjectType()
@InputType()
abstract class TestCaseFields {
  @Field(() => [String], { defaultValue: [], description: 'Free labels.' })
  tags!: string[]

  @Field(() => Boolean, {
    defaultValue: true,
    description: 'Whether executions measure the line coverage of the component.',
  })
  useCodeCoverage!: boolean

  @Field(() => Boolean, {
    defaultValue: true,
    description:
      'Whether an execution runs once more after its worker was lost; otherwise it is ERROR at once. Turn it off where a step must not happen twice.',
  })
  rerunAfterCrash!: boolean

  @Field(() => Int, {
    defaultValue: 0,
    description:
      'How often an execution that is FAILED or ERROR runs again from the start, up to 5 times. Every try is kept; a good one after a bad one makes the result flaky.',
  })
  retries!: number

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether it runs in suites without making them fail.',
  })
  quarantine!: boolean

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether it may be executed without host credentials.',
  })
  allowExecuteWithoutCredentials!: boolean
}

@Directive('@key(fields: "id")')
@ObjectType({ implements: Artifact, description: 'A scenario that can be executed.' })
export class TestCase extends artifactOf(TestCaseFields) {
  @Field(() => GraphQLJSONObject, { description: 'The steps and their expectations.' })
  scenario!: Record<string, unknown>

  @Field(() => String, {
    nullable: true,
    description:
      'The scenario as its author wrote it, with comments; null where it was not stored as a text.',
  })
  scenarioText?: string | null

  /** Id; the field of this name resolves it. */
  componentUnderTest!: string | null

  /** Id; the field of this name resolves it. */
  environment!: string | null

  /** Ids; the field of this name resolves them. */
  needs!: string[]
}

export const TestCaseConnection = connectionType(() => TestCase, 'TestCase')

@InputType()
export class TestCaseInput extends TestCaseFields {
  @Field(() => ScenarioInput, {
    description:
      'The steps and their expectations: an object, or a text with the same as YAML, which is kept as it was written.',
  })
  scenario!: unknown

  @Field(() => ID, {
    nullable: true,
    description: 'The component that the scenario tests; needed only where a step calls it.',
  })
  componentUnderTest?: string | null

  @Field(() => ID, { nullable: true, description: 'The environment that the scenario runs in.' })
  environment?: string | null

  @Field(() => [ID], {
    defaultValue: [],
    description:
      'Scenarios that must be COMPLETED first where a suite holds them, too; else it is skipped.',
  })
  needs!: string[]
}
