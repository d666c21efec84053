import { hash } from 'node:crypto'
import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql'
import type { Context } from '../../../platform/access/caller.ts'
import { readIdempotencyKey } from '../../../platform/request/idempotency-key.ts'
import { enumType } from '../../../platform/subgraph/enum-type.ts'
import { ExactJson } from '../json.type.ts'
import { type IngestionSuccess as Success, successOf } from './group-commit.ts'
import type { IngestionService } from './ingestion.service.ts'

export const IngestionSuccess = enumType(
  'IngestionSuccess',
  'How much of a request was accepted.',
  {
    ALL: 'Every event was accepted.',
    PARTIAL: 'At least one event was accepted and at least one was refused.',
    NONE: 'Every event was refused.',
  },
)

@InputType({ description: 'Events to be stored, judged one by one.' })
export class IngestEventsInput {
  @Field(() => [ExactJson], {
    nullable: 'items',
    description:
      'The events, at least one. Each is an object with a `title` and, all optional, `fingerprintFields`, `source`, `sender`, `message`, `severity`, `status`, `tags`, `properties`, `eventClass` and `createdAt`. Anything else becomes an error for that item alone.',
  })
  events!: unknown[]

  @Field(() => [String], {
    nullable: 'itemsAndList',
    description:
      'By position, names of occurrences: of an event, each counts once, however often it is sent. Remembered until it was not sent for 30 days.',
  })
  occurrenceKeys?: (string | null)[] | null

  @Field(() => String, {
    nullable: true,
    description:
      'A name for this request, chosen by the client: within 24 hours the same key gets the first answer again, and nothing is counted twice.',
  })
  idempotencyKey?: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'A digest of the request as the client sent it; a repetition with another one fails with IDEMPOTENCY_MISMATCH. Without it the events themselves are compared.',
  })
  idempotencyDigest?: string | null
}

@ObjectType({ description: 'An event of the request that is stored.' })
export class AcceptedEvent {
  @Field(() => Int, { description: 'Its position in the request, counted from 0.' })
  index!: number

  @Field(() => ID, { description: 'The id of the event that it was counted into.' })
  eventId!: string

  @Field(() => ID, {
    description: 'The same.',
    deprecationReason:
      'Several events of a request may be counted into one, which caches that key objects by their id show as one: use `eventId`.',
  })
  id!: string
}

@ObjectType({ description: 'An event of the request that was refused.' })
export class RejectedEvent {
  @Field(() => Int, { description: 'Its position in the request, counted from 0.' })
  index!: number

  @Field(() => String, { description: 'The first fault that was found in it.' })
  message!: string
}

@ObjectType({ description: 'What became of each event of a request. What is accepted is on disk.' })
export class IngestionResult {
  @Field(() => Int, { description: 'How many events were accepted.' })
  sent!: number

  @Field(() => IngestionSuccess, { description: 'How much of the request was accepted.' })
  success!: Success

  @Field(() => [AcceptedEvent], { description: 'The accepted events, in order of position.' })
  accepted!: AcceptedEvent[]

  @Field(() => [RejectedEvent], { description: 'The refused events, in order of position.' })
  errors!: RejectedEvent[]

  @Field(() => Boolean, {
    description: 'Whether this is the answer of an earlier request with the same idempotency key.',
  })
  replayed!: boolean
}

@Resolver()
export class IngestionResolver {
  constructor(private readonly ingestion: IngestionService) {}

  @Mutation(() => IngestionResult, {
    description:
      'Stores events and counts repetitions into the event with the same fingerprint. Answers once everything accepted is on disk; fails with OVERLOADED before anything is stored.',
  })
  async ingestEvents(
    @Arg('input', () => IngestEventsInput, { description: 'The events.' }) input: IngestEventsInput,
    @Ctx() { caller }: Context,
  ): Promise<IngestionResult> {
    const { events: items, occurrenceKeys, idempotencyKey: key, idempotencyDigest: digest } = input
    const idempotency =
      key == null
        ? null
        : readIdempotencyKey(key, caller, digest ?? digestOf(JSON.stringify(items)))
    const answer = await this.ingestion.ingest({ items, occurrenceKeys, idempotency })
    const accepted = answer.accepted.map((each) => ({ ...each, eventId: each.id }))
    return { ...answer, accepted, sent: accepted.length, success: successOf(answer) }
  }
}

const digestOf = (text: string): string => hash('sha256', text, 'base64url')
