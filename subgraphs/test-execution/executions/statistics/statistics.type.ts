import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import type { ExecutionStateName, ExecutionTypeName } from '../execution.ts'
import { ExecutionState, ExecutionType } from '../execution.type.ts'

/** Interval → its length in minutes. */
export const INTERVAL_MINUTES = { MINUTE: 1, HOUR: 60, DAY: 1_440, WEEK: 10_080 } as const

export type Interval = keyof typeof INTERVAL_MINUTES

export const ExecutionInterval = enumType<Interval>(
  'ExecutionInterval',
  'The time that a bucket of statistics of executions covers.',
  {
    MINUTE: 'One minute.',
    HOUR: 'One hour.',
    DAY: 'One day of the zone.',
    WEEK: 'Seven days of the zone, from Monday on.',
  },
)

@ObjectType({ description: 'How executions ended, and how long they took.' })
export class ExecutionCounts {
  @Field(() => Int, { description: 'How many were accepted.' })
  total!: number

  @Field(() => Int, { description: 'How many have not ended.' })
  running!: number

  @Field(() => Int, { description: 'How many ended COMPLETED.' })
  completed!: number

  @Field(() => Int, { description: 'How many ended FAILED.' })
  failed!: number

  @Field(() => Int, { description: 'How many ended as ERROR.' })
  error!: number

  @Field(() => Float, {
    nullable: true,
    description: 'Share of COMPLETED among those that ended, from 0 to 1; null where none has.',
  })
  passRate!: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'Median of the milliseconds from acceptance to end.',
  })
  durationP50Ms!: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'The milliseconds that 95 of 100 did not exceed.',
  })
  durationP95Ms!: number | null
}

@ObjectType({ description: 'The executions that were accepted in an interval.' })
export class ExecutionBucket extends ExecutionCounts {
  @Field(() => Date, { description: 'When the interval begins.' })
  start!: Date
}

@ObjectType({ description: 'Executions over time.' })
export class ExecutionStatistics extends ExecutionCounts {
  @Field(() => [ExecutionBucket], {
    description: 'One for each interval, also for empty ones, in order.',
  })
  buckets!: ExecutionBucket[]
}

@ObjectType({
  description: 'A scenario or suite whose verdict changes although nothing of it was changed.',
})
export class FlakyContext {
  @Field(() => ID, { description: 'Id of the scenario or suite.' })
  contextId!: string

  @Field(() => ExecutionType, { description: 'Which of both it is.' })
  type!: ExecutionTypeName

  @Field(() => String, { description: 'Its name in its last execution.' })
  name!: string

  @Field(() => Int, { description: 'How many executions were looked at.' })
  runs!: number

  @Field(() => Int, {
    description: 'How often one ended otherwise than the one before, which ran the same revisions.',
  })
  changes!: number

  @Field(() => Float, { description: 'Changes for each execution that could differ, from 0 to 1.' })
  score!: number

  @Field(() => ExecutionState, { description: 'How the last one ended.' })
  lastState!: ExecutionStateName
}
