import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { Artifact, artifactOf } from '../artifact.type.ts'
import { connectionType } from '../list/connection.type.ts'

@ObjectType()
@InputType()
abstract class SuiteFields {
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether the first scenario that does not succeed keeps the rest from running.',
  })
  haltAtFailure!: boolean

  @Field(() => Int, {
    defaultValue: 1,
    description: 'How many of its scenarios run at a time, from 1 to 100.',
  })
  maxParallel!: number
}

@Directive('@key(fields: "id")')
@ObjectType({ implements: Artifact, description: 'Scenarios that are executed together.' })
export class Suite extends artifactOf(SuiteFields) {
  /** Ids; the field of this name resolves them. */
  testCases!: string[]

  /** Id; the field of this name resolves it. */
  setup!: string | null

  /** Id; the field of this name resolves it. */
  teardown!: string | null

  /** Ids; the field of this name resolves them. */
  environments!: string[]
}

export const SuiteConnection = connectionType(() => Suite, 'Suite')

@InputType()
export class SuiteInput extends SuiteFields {
  @Field(() => [ID], { defaultValue: [], description: 'Its scenarios, in the order to run them.' })
  testCases!: string[]

  @Field(() => ID, {
    nullable: true,
    description:
      'A scenario that runs first. The others are skipped unless it is COMPLETED, and read what it captured as `{{setup.name}}`.',
  })
  setup?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'A scenario that runs last, whatever became of the others, but not after a cancel.',
  })
  teardown?: string | null

  @Field(() => [ID], {
    defaultValue: [],
    description:
      'Runs all of it once in each of these environments, instead of their own; at most 20.',
  })
  environments!: string[]
}
