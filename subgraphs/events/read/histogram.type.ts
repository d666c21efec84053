import { Field, Int, ObjectType, registerEnumType } from 'type-graphql'

/** Interval → its length in minutes. */
export const INTERVAL_MINUTES = {
  MINUTE: 1,
  FIVE_MINUTES: 5,
  FIFTEEN_MINUTES: 15,
  HOUR: 60,
  DAY: 1_440,
} as const

export type Interval = keyof typeof INTERVAL_MINUTES

export const HistogramInterval: { readonly [Name in Interval]: Name } = {
  MINUTE: 'MINUTE',
  FIVE_MINUTES: 'FIVE_MINUTES',
  FIFTEEN_MINUTES: 'FIFTEEN_MINUTES',
  HOUR: 'HOUR',
  DAY: 'DAY',
}
registerEnumType(HistogramInterval, {
  name: 'HistogramInterval',
  description: 'The time that a bucket of a histogram covers.',
  valuesConfig: {
    MINUTE: { description: 'One minute.' },
    FIVE_MINUTES: { description: 'Five minutes.' },
    FIFTEEN_MINUTES: { description: 'A quarter of an hour.' },
    HOUR: { description: 'One hour.' },
    DAY: { description: 'One day, in UTC.' },
  },
})

@ObjectType({ description: 'How much was received in an interval.' })
export class HistogramBucket {
  @Field(() => Date, { description: 'When the interval begins.' })
  start!: Date

  @Field(() => Int, { description: 'Occurrences received in it.' })
  occurrences!: number
}
