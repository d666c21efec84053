import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import { ExactJson } from '../../json.type.ts'

export const EventImportOutcome = enumType(
  'EventImportOutcome',
  'What became of an imported event.',
  {
    CREATED: 'No event had its fingerprint.',
    MERGED: 'It was counted into the event with its fingerprint.',
    UNCHANGED: 'It was imported before.',
    REFUSED: 'It cannot be stored; `message` says why.',
  },
)

@InputType({ description: 'Stored events of another product.' })
export class ImportEventsInput {
  @Field(() => [ExactJson], {
    nullable: 'items',
    description:
      'The events, 1 to IMPORT_EVENTS (1000), as `GET /v1/events` shows them: the fields of an event that is sent, with `id`, `firstSeenAt`, `lastSeenAt`, `lastUpdatedAt` and `timesSeen`.',
  })
  events!: unknown[]
}

@ObjectType({ description: 'What became of one imported event.' })
export class EventImport {
  @Field(() => Int, { description: 'Its position in the request, from 0.' })
  index!: number

  @Field(() => ID, {
    nullable: true,
    description: 'The event that it is here, found by its former id as well; null where refused.',
  })
  eventId!: string | null

  @Field(() => EventImportOutcome, { description: 'What became of it.' })
  outcome!: keyof typeof EventImportOutcome

  @Field(() => String, { nullable: true, description: 'Why it was refused; null otherwise.' })
  message!: string | null
}
