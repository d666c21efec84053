import { Arg, Field, ID, InputType, ObjectType, Query, Resolver } from 'type-graphql'
import { ArtifactFileInput } from '../apply/apply.type.ts'
import type { GivenFault, RawArtifact } from '../apply/given-artifacts.ts'
import type { ValidateService } from './validate.service.ts'

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

  @Field(() => [ArtifactFault], {
    description: 'What is allowed and was hardly meant, such as a format that no JSON Schema has.',
  })
  warnings!: ArtifactFault[]
}

@Resolver(() => ArtifactsValidation)
export class ValidateResolver {
  constructor(private readonly service: ValidateService) {}

  @Query(() => ArtifactsValidation, {
    description:
      'Validates artifacts without storing them: their form, what they name, functions that components do not export, and unknown names in templates.',
  })
  async validateArtifacts(
    @Arg('input', () => ValidateArtifactsInput) {
      artifacts,
      environmentId,
    }: ValidateArtifactsInput,
  ): Promise<ArtifactsValidation> {
    const found = await this.service.artifacts(artifacts, environmentId)
    const shown = ({ title: artifact, message }: GivenFault) => ({ artifact, message })
    const [faults, warnings] = [found.faults.map(shown), found.warnings.map(shown)]
    return { isValid: faults.length === 0, faults, warnings }
  }
}
