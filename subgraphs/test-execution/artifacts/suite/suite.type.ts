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
}

export const SuiteConnection = connectionType(() => Suite, 'Suite')

@InputType()
export class SuiteInput extends SuiteFields {
  @Field(() => [ID], { defaultValue: [], description: 'Its scenarios, in the order to run them.' })
  testCases!: string[]
}
