import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { connectionType } from '../../../platform/paging/connection.type.ts'
import { enumType } from '../../../platform/subgraph/enum-type.ts'
import type { StoredHeartbeat } from './heartbeat.entity.ts'

export const HeartbeatState = enumType('HeartbeatState', 'State of a heartbeat.', {
  PRESENT: 'The next one is not overdue.',
  MISSING: 'It is overdue: an event is open until it is back.',
  PAUSED: 'It is not watched.',
})

@ObjectType({ description: 'A sign of life that a sender promised to send again.' })
export class Heartbeat {
  @Field(() => ID, { description: 'Its name.' })
  name!: string

  @Field(() => String, {
    description:
      'Longest time between two of them, such as `5m`; a tenth of it is granted besides.',
  })
  every!: string

  @Field(() => HeartbeatState, { description: 'Its state.' })
  state!: keyof typeof HeartbeatState

  @Field(() => Date, { description: 'When the last one came.' })
  seenAt!: Date

  @Field(() => Date, {
    nullable: true,
    description: 'When the next one is missing; null while it is MISSING or PAUSED.',
  })
  dueAt!: Date | null

  @Field(() => Date, { description: 'When it became missing, or was back or new.' })
  since!: Date
}

@ObjectType({ description: 'A page of heartbeats.' })
export class HeartbeatConnection extends connectionType<StoredHeartbeat>(
  () => Heartbeat,
  'Heartbeat',
) {}

@InputType({ description: 'A sign of life.' })
export class RecordHeartbeatInput {
  @Field(() => ID, {
    description: '1 to 100 letters and digits of ASCII, points, hyphens and underscores.',
  })
  name!: string

  @Field(() => String, {
    nullable: true,
    description:
      'Time within which the next one follows, `10s` to `30d`. Only the first one needs it; another value replaces it.',
  })
  every?: string | null
}

@InputType({ description: 'A heartbeat by its name.' })
export class HeartbeatInput {
  @Field(() => ID, { description: 'Its name.' })
  name!: string
}
