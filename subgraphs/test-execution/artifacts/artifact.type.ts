import { Field, ID, Int, InterfaceType } from 'type-graphql'
import type { StoredArtifact } from './artifact.kind.ts'

@InterfaceType({ description: 'Whatever is stored in the repository under an id.' })
export abstract class Artifact implements StoredArtifact {
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

  @Field(() => String, {
    nullable: true,
    description:
      'The user who stored it last; null without a sign-in, and for changes before this was kept.',
  })
  updatedBy!: string | null
}

/**
 * The base class of the GraphQL type of a kind: TypeGraphQL adds the fields of the interface by itself, this one
 * declares them to TypeScript. The fields of the kind stand in one class for the type and for its inputs.
 */
export const artifactOf = <Fields extends object>(
  fields: abstract new () => Fields,
): (abstract new () => Fields & Artifact) => fields as abstract new () => Fields & Artifact
