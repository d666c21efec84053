import { GraphQLJSONObject } from 'graphql-scalars'
import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import { Artifact, artifactOf } from '../artifact.type.ts'
import { connectionType } from '../list/connection.type.ts'
import { UnattendedFields } from '../unattended.type.ts'

export const MissedRun = enumType(
  'MissedRun',
  'Fate of times at which no process served schedules.',
  {
    SKIP: 'They are left out.',
    ONCE: 'One run makes up for all of them.',
  },
)
export type MissedRun = keyof typeof MissedRun

export const Overlap = enumType(
  'Overlap',
  'Fate of a run that is due while the one before it runs.',
  {
    SKIP: 'It is left out.',
    QUEUE: 'It waits for the end of the one before; one run waits at most.',
    CANCEL: 'It starts, and the one before is cancelled.',
  },
)
export type Overlap = keyof typeof Overlap

type Labels = Readonly<Record<string, string>>
const LABELS =
  'Name → text: labels of its executions, 19 at most. They have the label `schedule` with its id, too.'

@ObjectType()
@InputType()
abstract class ScheduleFields extends UnattendedFields {
  @Field(() => String, {
    description:
      'Minute, hour, day of month, month and day of week as in crontab(5), or `@hourly`, `@daily`, `@weekly`. With both days restricted, either is enough.',
  })
  cron!: string

  @Field(() => String, {
    defaultValue: 'UTC',
    description: 'Name of the time zone of `cron`, such as Europe/Berlin.',
  })
  timeZone!: string

  @Field(() => MissedRun, {
    defaultValue: MissedRun.SKIP,
    description: 'Fate of times at which no process served schedules.',
  })
  missed!: MissedRun

  @Field(() => Overlap, {
    defaultValue: Overlap.SKIP,
    description: 'Fate of a run that is due while the one before it runs.',
  })
  overlap!: Overlap

  @Field(() => String, {
    defaultValue: '0s',
    description:
      'Duration such as `10m` over which schedules with equal times are spread. Each has its own fixed delay in it.',
  })
  spread!: string
}

@Directive('@key(fields: "id")')
@ObjectType({
  implements: Artifact,
  description: 'Times at which a scenario or suite is executed.',
})
export class Schedule extends artifactOf(ScheduleFields) {
  @Field(() => GraphQLJSONObject, { description: LABELS })
  labels!: Labels

  /** Id; the field of this name resolves it. */
  target!: string

  /** Id; the field of this name resolves it. */
  environment!: string | null
}

export const ScheduleConnection = connectionType(() => Schedule, 'Schedule')

@InputType()
export class ScheduleInput extends ScheduleFields {
  @Field(() => ID, { description: 'The scenario or suite to execute.' })
  target!: string

  @Field(() => ID, {
    nullable: true,
    description: 'Environment that the scenarios run in, instead of their own.',
  })
  environment?: string | null

  @Field(() => GraphQLJSONObject, { nullable: true, description: LABELS })
  labels?: Labels | null
}
