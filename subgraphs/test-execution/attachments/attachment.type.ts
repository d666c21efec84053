import { Field, ID, Int, ObjectType } from 'type-graphql'
import type * as domain from '../../../runner/run/attachment.ts'

@ObjectType({ description: 'A file that belongs to an execution; deleted with its details.' })
export class Attachment implements domain.Attachment {
  @Field(() => ID, { description: 'Downloads it: `attachment(id)`, or REST `/attachments/{id}`.' })
  id!: string

  @Field(() => String, { description: 'Its path below the folder of the run.' })
  name!: string

  @Field(() => String, { description: 'Its media type, by the end of its name.' })
  contentType!: string

  @Field(() => Int, { description: 'Bytes.' })
  size!: number

  @Field(() => String, { description: 'SHA-256 of its bytes, in hex.' })
  sha256!: string
}

@ObjectType({ description: 'A file with its bytes.' })
export class AttachmentContent extends Attachment {
  @Field(() => String, { description: 'The bytes as Base64.' })
  base64!: string
}
