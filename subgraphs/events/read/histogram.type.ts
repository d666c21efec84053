import { ArgsType, Field, Int, ObjectType } from 'type-graphql'
import { enumType } from '../../../platform/subgraph/enum-type.ts'

/** Interval → its length in minutes. */
export const INTERVAL_MINUTES = {
  MINUTE: 1,
  FIVE_MINUTES: 5,
  FIFTEEN_MINUTES: 15,
  HOUR: 60,
  DAY: 1_440,
} as const

export type Interval = keyof typeof INTERVAL_MINUTES

export const HistogramInterval = enumType(
  'HistogramInterval',
  'The time that a bucket of a histogram covers.',
  {
    MINUTE: 'One minute.',
    FIVE_MINUTES: 'Five minutes.',
    FIFTEEN_MINUTES: 'A quarter of an hour.',
    HOUR: 'One hour.',
    DAY: 'One day, in UTC.',
  },
)

@ArgsType()
export class HistogramArgs {
  @Field(() => HistogramInterval, { description: 'What each bucket covers.' })
  interval!: Interval

  @Field(() => Date, {
    nullable: true,
    description: 'The beginning; sixty intervals before the end if absent.',
  })
  from?: Date | null

  @Field(() => Date, { nullable: true, description: 'The end; now if absent.' })
  to?: Date | null
}

@ObjectType({ description: 'How much was received in an interval.' })
export class HistogramBucket {
  @Field(() => Date, { description: 'When the interval begins.' })
  start!: Date

  @Field(() => Int, { description: 'Occurrences received in it.' })
  occurrences!: number
}
