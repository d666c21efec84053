import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import { Artifact, artifactOf } from '../artifact.type.ts'
import { connectionType } from '../list/connection.type.ts'

export const RuleChange = enumType('RuleChange', 'A change of state that a rule notifies of.', {
  OPENED: 'An event was created OPEN, or an open one matches the query for the first time.',
  REOPENED: 'An event that was CLOSED or OK is OPEN again.',
  REGRESSED:
    'An event that a person had closed occurs again, and is OPEN. Rules with REOPENED notify of it, too.',
  RAISED: 'An open event has a graver severity.',
  ACKNOWLEDGED: 'A person has taken it over.',
  RESOLVED: 'An event is CLOSED or OK whose opening was notified, or would not have been.',
})
export type RuleChange = keyof typeof RuleChange

@ObjectType()
@InputType()
abstract class RuleFields {
  @Field(() => String, {
    description:
      'Events that it is about, in the query language of lists, with the severity and status that a change led to.',
  })
  query!: string

  @Field(() => [RuleChange], {
    defaultValue: ['OPENED', 'REOPENED', 'RAISED', 'RESOLVED'],
    description: 'Changes that notify.',
  })
  on!: RuleChange[]

  @Field(() => [String], {
    defaultValue: [],
    description:
      'Fields of events: those that are equal in all of them share a notification. `title`, `eventClass`, `source.ref`, `source.type`, `source.name` or `properties.name`; empty: all events of the rule.',
  })
  groupBy!: string[]

  @Field(() => String, {
    defaultValue: '30s',
    description: 'Time from the receipt of the first change of a group to its notification.',
  })
  groupWait!: string

  @Field(() => String, {
    defaultValue: '5m',
    description: 'Least time between two notifications of a group.',
  })
  groupInterval!: string

  @Field(() => String, {
    nullable: true,
    description:
      'Time after which what is still open is notified again, counted from the last notification of the group; at least `groupInterval`. Null: never.',
  })
  repeatInterval!: string | null

  @Field(() => Int, {
    defaultValue: 6,
    description:
      'Changes within `flappingWithin` after which an event is flapping: one notification says so, and the next comes when it has been steady for that time.',
  })
  flappingAfter!: number

  @Field(() => String, { defaultValue: '15m', description: 'See `flappingAfter`.' })
  flappingWithin!: string

  @Field(() => String, {
    nullable: true,
    description:
      'A short text for its notifications. `{{event.title}}`, `{{group.source.ref}}`, `{{changesTotal}}` and the like stand for values of each.',
  })
  text!: string | null

  @Field(() => Boolean, { defaultValue: true, description: 'A rule that is off notifies nothing.' })
  enabled!: boolean
}

@Directive('@key(fields: "id")')
@ObjectType({ implements: Artifact, description: 'Changes of events that people are notified of.' })
export class Rule extends artifactOf(RuleFields) {
  /** Ids; the field of this name resolves them. */
  channels!: string[]
}

export const RuleConnection = connectionType(() => Rule, 'Rule')

@InputType()
export class RuleInput extends RuleFields {
  @Field(() => [ID], { description: 'Channels that get its notifications, 1 to 20.' })
  channels!: string[]
}
