import { Field, ID, Int, InterfaceType } from 'type-graphql'

@InterfaceType({ description: 'Whatever is stored in the repository under an id.' })
export abstract class Artifact {
  @Field(() => ID, { description: 'Opaque; chosen by the client or generated.' })
  id!: string

  @Field(() => String, { description: 'Unique among artifacts of the same kind.' })
  name!: string

  @Field(() => String, { nullable: true, description: 'Free text.' })
  description!: string | null

  @Field(() => Int, { description: 'Counts the changes, from 1.' })
  revision!: number

  @Field(() => Date, { description: 'When it was created.' })
  created!: Date

  @Field(() => Date, { description: 'When it was last changed.' })
  updated!: Date
}
