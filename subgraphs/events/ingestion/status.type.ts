import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { enumType } from '../../../platform/subgraph/enum-type.ts'

export const SettableStatus = enumType(
  'SettableStatus',
  'The states that a person can give to an event.',
  {
    OPEN: 'Someone should look at it; also reopens a closed event.',
    ACKNOWLEDGED: 'Someone looks at it: further OPEN occurrences change nothing unless graver.',
    CLOSED: 'Done with; the next occurrence decides again.',
    OK: 'All is well.',
  },
)

/** Events of one call: they are locked and indexed in one transaction. */
export const MAX_STATUS_EVENTS = 1_000
export const MAX_COMMENT_LENGTH = 2_000
export const MAX_ASSIGNEE_LENGTH = 200

const COMMENT_DESCRIPTION = `Why, for those who read the history; at most ${MAX_COMMENT_LENGTH} characters.`

const ASSIGNEE_DESCRIPTION = `Who looks at it, in at most ${MAX_ASSIGNEE_LENGTH} characters; null removes it, absent leaves it.`
const TICKET_DESCRIPTION = `A ticket, its address or key, in at most ${MAX_COMMENT_LENGTH} characters; null removes it, absent leaves it.`

@InputType({ description: 'A new status for an event, a comment, who looks at it, or a ticket.' })
export class SetEventStatusInput {
  @Field(() => ID, { description: 'The event, also by the id that an imported one had before.' })
  id!: string

  @Field(() => SettableStatus, { nullable: true, description: 'Its new status; null: as it is.' })
  status?: keyof typeof SettableStatus | null

  @Field(() => String, { nullable: true, description: ASSIGNEE_DESCRIPTION })
  assignee?: string | null

  @Field(() => String, { nullable: true, description: TICKET_DESCRIPTION })
  ticket?: string | null

  @Field(() => String, { nullable: true, description: COMMENT_DESCRIPTION })
  comment?: string | null
}

@InputType({ description: 'The same for several events.' })
export class SetEventStatusesInput {
  @Field(() => [ID], {
    description: `The events, at most ${MAX_STATUS_EVENTS}; imported ones also by the id that they had before.`,
  })
  ids!: string[]

  @Field(() => SettableStatus, { nullable: true, description: 'Their new status; null: as it is.' })
  status?: keyof typeof SettableStatus | null

  @Field(() => String, { nullable: true, description: ASSIGNEE_DESCRIPTION })
  assignee?: string | null

  @Field(() => String, { nullable: true, description: TICKET_DESCRIPTION })
  ticket?: string | null

  @Field(() => String, { nullable: true, description: COMMENT_DESCRIPTION })
  comment?: string | null
}

/** Outcome for one of the events. */
export const StatusOutcome = enumType(
  'StatusOutcome',
  'What became of an event whose status was set.',
  {
    CHANGED: 'Something of it changed, or a comment was added.',
    UNCHANGED: 'It had this status already.',
    NOT_FOUND: 'No event has this id.',
  },
)

@ObjectType({ description: 'What became of one event whose status was set.' })
export class EventStatusResult {
  @Field(() => ID, { description: 'Unique among the results of all calls.' })
  id!: string

  @Field(() => ID, { description: 'The id of the event as it was given.' })
  eventId!: string

  @Field(() => StatusOutcome, { description: 'What became of it.' })
  outcome!: keyof typeof StatusOutcome

  /** Id of the event, where the id that was given is one of another product. */
  storedId!: string
}
