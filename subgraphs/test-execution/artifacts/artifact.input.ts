import { type ClassType, Field, ID, InputType, Int } from 'type-graphql'
import type { ArtifactKind } from './artifact.kind.ts'
import type { ArtifactInput } from './artifact.service.ts'

export interface ArtifactInputs {
  create: ClassType<ArtifactInput>
  update: ClassType<ArtifactInput & { id: string; revision?: number[] | null }>
}

/**
 * The GraphQL inputs that create and replace artifacts of a kind.
 * @param Attributes what a client gives besides id, name and description
 */
export function inputsOf(
  { name, typeName, idSpace }: ArtifactKind,
  Attributes: ClassType,
): ArtifactInputs {
  const id = idSpace === name ? '' : `; unique among all kinds that share addresses`

  @InputType(`Create${typeName}Input`, { description: `One ${name} to store.` })
  class CreateInput extends Attributes {
    @Field(() => ID, { nullable: true, description: `Generated (UUIDv7) when absent${id}.` })
    id?: string | null

    @Field(() => String, { description: `Unique among artifacts of this kind.` })
    name!: string

    @Field(() => String, { nullable: true, description: 'Free text.' })
    description?: string | null;

    [attribute: string]: unknown
  }

  @InputType(`Update${typeName}Input`, {
    description: `All attributes of one ${name}: those that are absent get their default.`,
  })
  class UpdateInput extends CreateInput {
    @Field(() => ID, { description: `Which ${name}.` })
    declare id: string

    @Field(() => [Int], {
      nullable: true,
      description: 'Refuses the change unless the stored revision is this one, or one of these.',
    })
    revision?: number[] | null
  }
  return { create: CreateInput, update: UpdateInput }
}
