import { GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars'
import { Directive, Field, InputType, Int, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import { Artifact, artifactOf } from '../artifact.type.ts'
import { connectionType } from '../list/connection.type.ts'

export const SignatureCoding = enumType('SignatureCoding', 'Coding of a signature in a header.', {
  HEX: 'Hexadecimal.',
  BASE64: 'Base64.',
})
export type SignatureCoding = keyof typeof SignatureCoding

@ObjectType('ReceiverSource', { description: 'Source of the events.' })
@InputType('ReceiverSourceInput', { description: 'Source of the events.' })
export class ReceiverSource {
  @Field(() => [String], { nullable: true, description: 'Name of what they are about.' })
  ref!: string[] | null

  @Field(() => [String], { nullable: true, description: 'Type of it, such as host.' })
  type!: string[] | null

  @Field(() => [String], { nullable: true, description: 'Display name of it.' })
  name!: string[] | null
}

@ObjectType('ReceiverProof', { description: 'Place where a request has the secret.' })
@InputType('ReceiverProofInput', { description: 'Place where a request has the secret.' })
export class ReceiverProof {
  @Field(() => String, { nullable: true, description: 'A header.' })
  header!: string | null

  @Field(() => String, { nullable: true, description: 'A query parameter.' })
  query!: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Text before the secret or the signature, such as `sha256=` or `Bearer `.',
  })
  prefix!: string | null

  @Field(() => SignatureCoding, {
    nullable: true,
    description:
      'The header has the HMAC-SHA256 of the body in this coding; null: the secret itself.',
  })
  hmac!: SignatureCoding | null
}

@ObjectType('ReceiverResponse', { description: 'Response to each request that is taken.' })
@InputType('ReceiverResponseInput', { description: 'Response to each request that is taken.' })
export class ReceiverResponse {
  @Field(() => Int, { nullable: true, description: 'Status, from 200 to 299; null: 202.' })
  status!: number | null

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'JSON of the body; null: as `POST /v1/events` has it.',
  })
  body!: unknown
}

const LOOKUP =
  'Paths (JSONPath: `$` is the body, `@` the item), or texts with paths within `{{ }}`; the first that yields something counts.'

@ObjectType()
@InputType()
abstract class ReceiverFields {
  @Field(() => String, {
    nullable: true,
    description:
      'Path of the items in the body, each of which is an event; null: the body, or each item where it is a list.',
  })
  items!: string | null

  @Field(() => [String], { description: `Title. ${LOOKUP}` })
  title!: string[]

  @Field(() => [String], { nullable: true, description: `Message. ${LOOKUP}` })
  message!: string[] | null

  @Field(() => [String], { nullable: true, description: `Word of severity. ${LOOKUP}` })
  severity!: string[] | null

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Words of the sender for severity, in any case → CRITICAL, ERROR, WARN or INFO. Others are WARN, with the word in the property `severityWord`.',
  })
  severityWords!: Record<string, string> | null

  @Field(() => [String], { nullable: true, description: `Word of status. ${LOOKUP}` })
  status!: string[] | null

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Words of the sender for status, in any case → OPEN, CLOSED, ACKNOWLEDGED or OK. Others stay as they are.',
  })
  statusWords!: Record<string, string> | null

  @Field(() => [String], {
    nullable: true,
    description: `CLOSED where it yields something but false, 0 or a time that lies ahead; else OPEN, unless status says another. ${LOOKUP}`,
  })
  resolved!: string[] | null

  @Field(() => [String], { nullable: true, description: `Time of an end. ${LOOKUP}` })
  resolvedAt!: string[] | null

  @Field(() => [String], {
    nullable: true,
    description: `Time, and of an end where \`resolvedAt\` yields nothing; null: of receipt. ${LOOKUP}`,
  })
  createdAt!: string[] | null

  @Field(() => [String], { nullable: true, description: `Event class. ${LOOKUP}` })
  eventClass!: string[] | null

  @Field(() => [String], {
    nullable: true,
    description: 'Paths or texts, each a tag or a list of tags.',
  })
  tags!: string[] | null

  @Field(() => [String], {
    nullable: true,
    description:
      'Paths or texts whose values, with the source and the event class, make occurrences one event; null: the title.',
  })
  fingerprint!: string[] | null

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Texts of the fingerprint count without their numbers.',
  })
  ignoreNumbers!: boolean

  @Field(() => [String], {
    nullable: true,
    description: `Text that is equal where an occurrence of an event is sent again, which does not count; null: everything counts. ${LOOKUP}`,
  })
  occurrenceId!: string[] | null

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'Name of a property → its path or text; `*` makes properties of all members of an object.',
  })
  properties!: Record<string, string> | null

  @Field(() => String, {
    nullable: true,
    description:
      'Secret of its sender, of at least 8 characters, stored sealed: `***` is shown, and stands for the stored one. With it no sign-in is needed.',
  })
  secret!: string | null
}

@Directive('@key(fields: "id")')
@ObjectType({
  implements: Artifact,
  description: 'A mapping of JSON that a tool sends to `/v1/receivers/{name}`, to events.',
})
export class Receiver extends artifactOf(ReceiverFields) {
  @Field(() => ReceiverSource, { nullable: true, description: 'Source of the events.' })
  source!: ReceiverSource | null

  @Field(() => ReceiverProof, { nullable: true, description: 'Place of the secret.' })
  proof!: ReceiverProof | null

  @Field(() => ReceiverResponse, { nullable: true, description: 'Response to its sender.' })
  response!: ReceiverResponse | null
}

export const ReceiverConnection = connectionType(() => Receiver, 'Receiver')

@InputType()
export class ReceiverInput extends ReceiverFields {
  @Field(() => ReceiverSource, { nullable: true, description: 'Source of the events.' })
  source?: ReceiverSource | null

  @Field(() => ReceiverProof, { nullable: true, description: 'Place of the secret.' })
  proof?: ReceiverProof | null

  @Field(() => ReceiverResponse, { nullable: true, description: 'Response to its sender.' })
  response?: ReceiverResponse | null
}

@InputType({ description: 'A receiver that is tried, and what its sender would send.' })
export class PreviewReceiverInput {
  @Field(() => GraphQLJSONObject, {
    description: 'Attributes of the receiver; those of every artifact are ignored.',
  })
  receiver!: Record<string, unknown>

  @Field(() => GraphQLJSON, { description: 'JSON of the body.' })
  body!: unknown
}

@ObjectType({ description: 'An item of a body as a receiver reads it.' })
export class PreviewedEvent {
  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'The event in the words of `POST /v1/events`; null where the item is refused.',
  })
  event!: object | null

  @Field(() => String, {
    nullable: true,
    description: 'Equal where an occurrence is sent again; null: it counts each time.',
  })
  occurrenceId!: string | null

  @Field(() => String, { nullable: true, description: 'Why the item is refused.' })
  refused!: string | null
}

@ObjectType({ description: 'Events that a receiver would make of a body.' })
export class ReceiverPreview {
  @Field(() => Int, { description: 'How many items the body has.' })
  total!: number

  @Field(() => [PreviewedEvent], { description: 'The first 100.' })
  events!: PreviewedEvent[]
}
