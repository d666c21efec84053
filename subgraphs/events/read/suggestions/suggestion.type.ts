import { Field, Int, ObjectType } from 'type-graphql'

@ObjectType({ description: 'A field that queries of events may name.' })
export class EventField {
  @Field(() => String, { description: 'As queries write it, such as `properties.region`.' })
  name!: string

  @Field(() => Boolean, {
    description: 'Whether `eventFieldValues` knows values: not for times and counts.',
  })
  hasValues!: boolean
}

@ObjectType({ description: 'A value of a field.' })
export class EventFieldValue {
  @Field(() => String, { description: 'The value as text.' })
  value!: string

  @Field(() => Int, { description: 'How many of the looked at events have it.' })
  events!: number
}
