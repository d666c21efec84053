import { Arg, Query, Resolver } from 'type-graphql'
import type { ValidateService } from './validate.service.ts'
import { ArtifactsValidation, ValidateArtifactsInput } from './validate.type.ts'

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
    const faults = found.map(({ title: artifact, message }) => ({ artifact, message }))
    return { isValid: faults.length === 0, faults }
  }
}
