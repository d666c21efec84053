import { Field, Int, ObjectType } from 'type-graphql'

@ObjectType({ description: 'A difference between two executions of the same scenario or suite.' })
export class FailureChange {
  @Field(() => String, {
    description: 'Its kind: testcase, suite, component, environment or label.',
  })
  kind!: string

  @Field(() => String, { description: 'Id of the artifact, or name of the label.' })
  name!: string

  @Field(() => String, {
    nullable: true,
    description: 'The revision, or value, of the last good one; null where it had none.',
  })
  before!: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The revision, or value, of the first that failed; null where it had none.',
  })
  after!: string | null
}

@ObjectType({ description: 'The beginning of a row of failures of a scenario or suite.' })
export class FailingSince {
  @Field(() => Int, { description: 'How many executions have failed since, with this one.' })
  failures!: number

  @Field(() => [FailureChange], {
    description:
      'What is different from the last good one to the first that failed; empty without a good one.',
  })
  changes!: FailureChange[]

  firstId!: string
  lastGoodId!: string | null
}
