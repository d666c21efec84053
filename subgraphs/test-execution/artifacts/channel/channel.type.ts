import { Directive, Field, InputType, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import { Artifact, artifactOf } from '../artifact.type.ts'
import { connectionType } from '../list/connection.type.ts'

export const ChannelKind = enumType('ChannelKind', 'Way in which a channel delivers.', {
  webhook: 'Posts JSON, signed as Standard Webhooks describes it.',
  slack: 'Posts to an incoming webhook of Slack, or of a product that takes the same.',
  email: 'Sends e-mail by SMTP_URL.',
})
export type ChannelKind = keyof typeof ChannelKind

@ObjectType()
@InputType()
abstract class ChannelFields {
  @Field(() => ChannelKind, { description: 'Its way to deliver.' })
  kind!: ChannelKind

  @Field(() => String, {
    nullable: true,
    description:
      'Address of a webhook, stored sealed: only its origin is shown, and `/***` behind it stands for the stored address. Null for e-mail.',
  })
  url!: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'Body of a webhook in place of the common one: JSON with `{{title}}`, `{{text}}`, `{{event.severity}}` and the like within its strings.',
  })
  template!: string | null
}

@Directive('@key(fields: "id")')
@ObjectType({ implements: Artifact, description: 'A place that notifications go to.' })
export class Channel extends artifactOf(ChannelFields) {
  @Field(() => [String], { description: 'Addresses of e-mail; empty for webhooks.' })
  to!: string[]
}

export const ChannelConnection = connectionType(() => Channel, 'Channel')

@InputType()
export class ChannelInput extends ChannelFields {
  @Field(() => [String], {
    nullable: true,
    description: 'Addresses of e-mail, each without a name.',
  })
  to?: string[] | null
}
