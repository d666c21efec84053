import { Directive, Field, InputType, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import { Artifact, artifactOf } from '../artifact.type.ts'
import { connectionType } from '../list/connection.type.ts'

export const Weekday = enumType('Weekday', 'A day of the week.', {
  MON: 'Monday.',
  TUE: 'Tuesday.',
  WED: 'Wednesday.',
  THU: 'Thursday.',
  FRI: 'Friday.',
  SAT: 'Saturday.',
  SUN: 'Sunday.',
})
export type Weekday = keyof typeof Weekday

@ObjectType('WeeklySilence', { description: 'Hours of some days of each week.' })
@InputType('WeeklySilenceInput', { description: 'Hours of some days of each week.' })
export class WeeklySilence {
  @Field(() => [Weekday], { description: 'Days on which it begins.' })
  days!: Weekday[]

  @Field(() => String, { description: 'When it begins, such as `22:00`.' })
  from!: string

  @Field(() => String, {
    description: 'When it ends; on the next day where that is earlier than `from`.',
  })
  to!: string

  @Field(() => String, { description: 'Name of the time zone, such as Europe/Berlin.' })
  timeZone!: string
}

@ObjectType()
@InputType()
abstract class SilenceFields {
  @Field(() => String, { description: 'Events that it is about, in the query language of lists.' })
  query!: string

  @Field(() => String, {
    nullable: true,
    description: 'Time (ISO 8601) from which it holds; null: since it was stored.',
  })
  from!: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'Time (ISO 8601) up to which it holds, or `RESOLVED`: until nothing that it matches is open any more. Null only where it is `weekly`: no end.',
  })
  until!: string | null

  @Field(() => String, { description: 'Why.' })
  reason!: string

  @Field(() => Boolean, {
    defaultValue: true,
    description: 'Notify of what is still open when it ends.',
  })
  notifyAtEnd!: boolean
}

@Directive('@key(fields: "id")')
@ObjectType({ implements: Artifact, description: 'Events that notify no one for a time.' })
export class Silence extends artifactOf(SilenceFields) {
  @Field(() => WeeklySilence, {
    nullable: true,
    description: 'Hours of each week in which it holds; null: all the time.',
  })
  weekly!: WeeklySilence | null
}

export const SilenceConnection = connectionType(() => Silence, 'Silence')

@InputType()
export class SilenceInput extends SilenceFields {
  @Field(() => WeeklySilence, {
    nullable: true,
    description: 'Hours of each week in which it holds; null: all the time.',
  })
  weekly?: WeeklySilence | null
}
