import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { ArtifactFileInput } from '../apply/apply.type.ts'
import type { RawArtifact } from '../apply/given-artifacts.ts'

@InputType({ description: 'Artifacts to validate together.' })
export class ValidateArtifactsInput {
  @Field(() => [ArtifactFileInput], {
    description: 'Up to 1 000. What they name may be among them or stored.',
  })
  artifacts!: RawArtifact[]

  @Field(() => ID, {
    nullable: true,
    description: 'Environment that the scenarios are to run in, instead of their own.',
  })
  environmentId?: string | null
}

@ObjectType({ description: 'What is wrong with an artifact.' })
export class ArtifactFault {
  @Field(() => String, { description: 'Kind and id of the artifact, or its place in the list.' })
  artifact!: string

  @Field(() => String, { description: 'Where it is, and what was expected there.' })
  message!: string
}

@ObjectType({ description: 'Whether artifacts could be stored and executed.' })
export class ArtifactsValidation {
  @Field(() => Boolean, { description: 'Whether nothing was found.' })
  isValid!: boolean

  @Field(() => [ArtifactFault], { description: 'Everything that was found.' })
  faults!: ArtifactFault[]
}
