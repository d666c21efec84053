import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionType } from '../../../platform/paging/connection.type.ts'
import { enumType } from '../../../platform/subgraph/enum-type.ts'
import type * as domain from './callback.ts'

export const CallbackState = enumType<domain.CallbackStateName>(
  'CallbackState',
  'Where the delivery of a callback stands.',
  {
    PENDING: 'The next attempt is due at `nextAttemptAt`.',
    DELIVERED: 'The receiver answered with a status of 2xx.',
    GIVEN_UP: 'The receiver answered 410: it wants no more.',
    DEAD: 'Every attempt of the schedule failed, or its job was lost; `redeliverCallback` tries again.',
  },
)

@ObjectType({ description: 'One try to deliver a callback.' })
export class CallbackAttempt {
  @Field(() => Date, { description: 'When it began.' })
  started!: string

  @Field(() => Int, {
    nullable: true,
    description: 'HTTP status of the answer; null without an answer.',
  })
  status!: number | null

  @Field(() => String, {
    nullable: true,
    description: 'Why there was no answer; null when there was one.',
  })
  error!: string | null

  @Field(() => Int, { description: 'Milliseconds until the answer or the error.' })
  durationMs!: number
}

@ObjectType({ description: 'What became of telling a callback URL how an execution ended.' })
export class CallbackDelivery {
  @Field(() => ID, { description: 'The receiver sees it as `webhook-id`, the same every time.' })
  id!: string

  @Field(() => String, {
    description: 'Where it is posted to, with what its query says hidden.',
  })
  url!: string

  @Field(() => CallbackState, { description: 'Where the delivery stands.' })
  state!: domain.CallbackStateName

  @Field(() => [CallbackAttempt], { description: 'Every attempt so far, in order.' })
  attempts!: domain.CallbackAttempt[]

  @Field(() => Date, { description: 'When it was decided: the end of the execution.' })
  created!: Date

  @Field(() => Date, {
    nullable: true,
    description: 'When the next attempt is due; null once nothing more is tried.',
  })
  nextAttemptAt!: Date | null
}

@ObjectType({ description: 'A page of deliveries.' })
export class CallbackDeliveryConnection extends connectionType<domain.CallbackDelivery>(
  () => CallbackDelivery,
  'CallbackDelivery',
) {}

@InputType({ description: 'Which deliveries of callbacks to list.' })
export class CallbackDeliveryFilter {
  @Field(() => CallbackState, { nullable: true, description: 'Only those in this state.' })
  state?: domain.CallbackStateName | null
}

@InputType({ description: 'Which callback to deliver again.' })
export class RedeliverCallbackInput {
  @Field(() => ID, { description: 'Id of the delivery.' })
  id!: string
}
