import { Field, InputType, ObjectType } from 'type-graphql'

/** Attributes of kinds that start executions without a person. */
@ObjectType()
@InputType()
export abstract class UnattendedFields {
  @Field(() => String, {
    nullable: true,
    description:
      'Secret of the environment that holds host credentials as `USER_ID:PASSWORD`. Needed unless all scenarios allow execution without.',
  })
  credentialsFrom!: string | null

  @Field(() => Boolean, { defaultValue: true, description: 'Whether it starts executions.' })
  enabled!: boolean
}
