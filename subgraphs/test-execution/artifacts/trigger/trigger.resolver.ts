import { GraphQLJSONObject } from 'graphql-scalars'
import { Arg, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import type { TriggerService } from '../../triggers/trigger.service.ts'
import { unattendedResolver } from '../unattended.resolver.ts'
import { TRIGGER } from './trigger.kind.ts'
import { Trigger, TriggerConnection, TriggerInput } from './trigger.type.ts'

@Resolver(() => Trigger)
export class TriggerResolver extends unattendedResolver(TRIGGER, {
  artifact: Trigger,
  connection: TriggerConnection,
  attributes: TriggerInput,
}) {}

@InputType({ description: 'A request to a webhook, as its sender made it.' })
class CallTriggerInput {
  @Field(() => String, { description: 'Name or id of the trigger.' })
  name!: string

  @Field(() => String, { description: 'The text that is signed.' })
  body!: string

  @Field(() => GraphQLJSONObject, {
    description: 'Name in lower case → value: the headers with the proof, and the content type.',
  })
  headers!: Record<string, string>
}

@ObjectType({ description: 'What a request to a webhook led to.' })
class TriggerCall {
  @Field(() => ID, {
    nullable: true,
    description: 'Id of the result; null where GitHub tries the address.',
  })
  resultId!: string | null
}

/** Requests of senders. */
@Resolver()
export class CallTriggerResolver {
  constructor(private readonly triggers: Pick<TriggerService, 'call'>) {}

  @Mutation(() => TriggerCall, {
    description:
      'Starts the execution that a trigger stands for, once for each delivery. UNAUTHENTICATED unless the request proves that its sender knows the secret, RATE_LIMITED beyond `perHour`, CONFLICT where it is not enabled.',
  })
  async callTrigger(
    @Arg('input', () => CallTriggerInput, { description: 'The request.' })
    { name, ...request }: CallTriggerInput,
  ): Promise<TriggerCall> {
    return { resultId: await this.triggers.call(name, request) }
  }
}
