import { randomUUID } from 'node:crypto'
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import type { Context } from '../../../../platform/access/caller.ts'
import { type ApplyService, attributeChanges } from './apply.service.ts'
import { ApplyAction, ApplyArtifactsInput, ApplyResult } from './apply.type.ts'

@Resolver(() => ApplyResult)
export class ApplyResolver {
  constructor(private readonly service: ApplyService) {}

  @Mutation(() => ApplyResult, {
    description:
      'Stores a set of artifacts in one transaction, or nothing. Repeating it changes nothing. BAD_USER_INPUT lists the faults; CONFLICT when a name is taken, an artifact belongs to another set, or something uses what would be pruned.',
  })
  async applyArtifacts(
    @Arg('input', () => ApplyArtifactsInput) input: ApplyArtifactsInput,
    @Ctx() { caller }: Context,
  ): Promise<ApplyResult> {
    const changes = await this.service.apply(input, caller)
    const { set, dryRun } = input
    return {
      set,
      dryRun,
      changes: changes.map((change) => ({
        kind: change.kind.name,
        id: randomUUID(),
        artifactId: change.id,
        action: ApplyAction[change.action],
        revision: change.after?.artifact.revision ?? null,
        attributes: attributeChanges(change),
      })),
    }
  }
}
