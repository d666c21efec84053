import { GraphQLJSONObject } from 'graphql-scalars'
import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { Artifact } from '../artifact.type.ts'

@ObjectType({ implements: Artifact, description: 'A scenario that can be executed.' })
@Directive('@key(fields: "id")')
export class TestCase extends Artifact {
  /** Id; the field of this name resolves it. */
  componentUnderTest!: string

  @Field(() => [String], { description: 'Free labels.' })
  tags!: string[]

  @Field(() => GraphQLJSONObject, { description: 'The steps and their expectations.' })
  scenario!: Record<string, unknown>

  @Field(() => Boolean, {
    description: 'Whether executions measure the line coverage of the component.',
  })
  useCodeCoverage!: boolean

  @Field(() => Boolean, { description: 'Whether it may be executed without host credentials.' })
  allowExecuteWithoutCredentials!: boolean
}

@InputType({ description: 'A scenario to store.' })
export class CreateTestCaseInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Generated (UUIDv7) when absent; unique among scenarios and suites.',
  })
  id?: string | null

  @Field(() => String, { description: 'Unique among scenarios.' })
  name!: string

  @Field(() => String, { nullable: true, description: 'Free text.' })
  description?: string | null

  @Field(() => ID, { description: 'The component it tests.' })
  componentUnderTest!: string

  @Field(() => [String], { defaultValue: [], description: 'Free labels.' })
  tags!: string[]

  @Field(() => GraphQLJSONObject, { description: 'The steps and their expectations.' })
  scenario!: Record<string, unknown>

  @Field(() => Boolean, {
    defaultValue: true,
    description: 'Whether executions measure line coverage.',
  })
  useCodeCoverage!: boolean

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether it may be executed without host credentials.',
  })
  allowExecuteWithoutCredentials!: boolean
}

@InputType({ description: 'Replaces every attribute of a scenario.' })
export class UpdateTestCaseInput extends CreateTestCaseInput {
  @Field(() => ID, { description: 'Which scenario.' })
  declare id: string

  @Field(() => Int, {
    nullable: true,
    description: 'Refuses the change unless this is the stored revision.',
  })
  revision?: number | null
}
