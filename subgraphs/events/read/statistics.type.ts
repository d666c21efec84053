import { Field, Int, ObjectType } from 'type-graphql'

@ObjectType({ description: 'How often a severity or status occurred.' })
export class WordCount {
  @Field(() => String, { description: 'A known word in upper case; OTHER for those of clients.' })
  word!: string

  @Field(() => Int, { description: 'Occurrences received in the span.' })
  occurrences!: number

  @Field(() => Int, { description: 'Events that they were counted into.' })
  events!: number
}

@ObjectType({ description: 'What was received in an interval.' })
export class StatisticsBucket {
  @Field(() => Date, { description: 'When the interval begins.' })
  start!: Date

  @Field(() => Int, { description: 'Occurrences received in it.' })
  occurrences!: number

  @Field(() => [WordCount], { description: 'The same by the present severity of their events.' })
  bySeverity!: WordCount[]

  @Field(() => [WordCount], { description: 'The same by the present status of their events.' })
  byStatus!: WordCount[]
}

@ObjectType({ description: 'Numbers about the events that occurred in a span.' })
export class EventStatistics {
  @Field(() => Int, { description: 'Occurrences received in the span.' })
  occurrences!: number

  @Field(() => Int, { description: 'Events that they were counted into.' })
  events!: number

  @Field(() => [WordCount], { description: 'Both by the present severity of the events.' })
  bySeverity!: WordCount[]

  @Field(() => [WordCount], { description: 'Both by the present status of the events.' })
  byStatus!: WordCount[]

  @Field(() => [StatisticsBucket], {
    description: 'One for each interval, also for empty ones.',
  })
  buckets!: StatisticsBucket[]
}
