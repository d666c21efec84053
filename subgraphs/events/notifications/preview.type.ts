import { GraphQLJSONObject } from 'graphql-scalars'
import { Field, Int, ObjectType } from 'type-graphql'

@ObjectType({
  description: 'A notification that a rule would have sent over each of its channels.',
})
export class PreviewedNotification {
  @Field(() => Date, { description: 'When.' })
  at!: Date

  @Field(() => String, { description: 'first, change or repeat.' })
  reason!: string

  @Field(() => GraphQLJSONObject, { description: 'Fields of `groupBy` with their values.' })
  group!: Record<string, unknown>

  @Field(() => Int, { description: 'Changed events.' })
  changesTotal!: number

  @Field(() => [String], { description: 'Titles of the first ten.' })
  titles!: string[]

  @Field(() => Int, { description: 'Events that were still open.' })
  openTotal!: number
}

@ObjectType({ description: 'Notifications that a rule would have sent.' })
export class RulePreview {
  @Field(() => [PreviewedNotification], { description: 'The latest hundred, the oldest first.' })
  notifications!: PreviewedNotification[]

  @Field(() => Int, { description: 'How many it would have been.' })
  total!: number

  @Field(() => Boolean, {
    description: 'Whether there were more changes of events than a preview looks at (10 000).',
  })
  isCut!: boolean
}
