import { GraphQLJSONObject } from 'graphql-scalars'
import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import { Artifact, artifactOf } from '../artifact.type.ts'
import { connectionType } from '../list/connection.type.ts'
import { RuleChange } from '../rule/rule.type.ts'
import { UnattendedFields } from '../unattended.type.ts'

export const TriggerWebhook = enumType('TriggerWebhook', 'Proof of the sender of a webhook.', {
  github: 'X-Hub-Signature-256, made with the secret.',
  gitlab: 'X-Gitlab-Token, or the signature of a signing token.',
  standard: 'Standard Webhooks: the secret is `whsec_` and Base64.',
})
export type TriggerWebhook = keyof typeof TriggerWebhook

type Labels = Readonly<Record<string, string>>
const LABELS =
  'Name → text: labels of its executions, 19 at most. A value such as `$.ref` is a JSONPath (RFC 9535) into the event or the payload; without a text, number or boolean there, the label is left out. They have the label `trigger` with its id, too.'

@ObjectType()
@InputType()
abstract class TriggerFields extends UnattendedFields {
  @Field(() => String, {
    nullable: true,
    description:
      'Events whose changes start an execution, in the query language of lists. Null for a webhook.',
  })
  query!: string | null

  @Field(() => [RuleChange], {
    defaultValue: ['OPENED', 'REOPENED', 'RAISED'],
    description: 'Changes of events that start one.',
  })
  on!: RuleChange[]

  @Field(() => TriggerWebhook, {
    nullable: true,
    description:
      'Senders of requests to `/v1/triggers/{name}` that start an execution. Null for a query.',
  })
  webhook!: TriggerWebhook | null

  @Field(() => String, {
    nullable: true,
    description:
      'Secret of the webhook, 16 characters at least; stored sealed, and `***` stands for it.',
  })
  secret!: string | null

  @Field(() => Int, {
    defaultValue: 10,
    description: 'Executions that it starts within an hour at most, 1 to 1000.',
  })
  perHour!: number
}

@Directive('@key(fields: "id")')
@ObjectType({
  implements: Artifact,
  description: 'Changes of events, or signed requests, that a scenario or suite is executed for.',
})
export class Trigger extends artifactOf(TriggerFields) {
  @Field(() => GraphQLJSONObject, { description: LABELS })
  labels!: Labels

  /** Id; the field of this name resolves it. */
  target!: string

  /** Id; the field of this name resolves it. */
  environment!: string | null
}

export const TriggerConnection = connectionType(() => Trigger, 'Trigger')

@InputType()
export class TriggerInput extends TriggerFields {
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
