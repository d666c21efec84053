import { GraphQLJSONObject } from 'graphql-scalars'
import { Field, Int, ObjectType } from 'type-graphql'

@ObjectType({ description: 'An artifact as it was before a change.' })
export class ArtifactRevision {
  @Field(() => Int, { description: 'Its number.' })
  revision!: number

  @Field(() => String, { description: 'The name that it had.' })
  name!: string

  @Field(() => String, { nullable: true, description: 'The description that it had.' })
  description!: string | null

  @Field(() => Date, { description: 'When this revision was stored.' })
  updated!: Date

  @Field(() => String, {
    nullable: true,
    description:
      'The user who stored it; null without a sign-in, and for changes before this was kept.',
  })
  updatedBy!: string | null

  @Field(() => GraphQLJSONObject, {
    description: 'What only its kind has, as in an artifact file; of secrets the names.',
  })
  attributes!: Record<string, unknown>
}
