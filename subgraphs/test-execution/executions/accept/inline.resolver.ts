import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql'
import type { Context } from '../../../../platform/access/caller.ts'
import { ArtifactFileInput } from '../../artifacts/apply/apply.type.ts'
import type { RawArtifact } from '../../artifacts/apply/given-artifacts.ts'
import type { Execution } from '../execution.entity.ts'
import type { StartedByName } from '../execution.ts'
import { ExecutionResult, StartedBy } from '../execution.type.ts'
import { ExecuteChosenOptions, keyOf } from './execute.resolver.ts'
import type { InlineService } from './inline.service.ts'

@InputType({ description: 'What to execute, and the artifacts that need not be stored for it.' })
class ExecuteInlineInput extends ExecuteChosenOptions {
  @Field(() => ID, { description: 'Id of a scenario or a suite, among `artifacts` or stored.' })
  contextId!: string

  @Field(() => [ArtifactFileInput], {
    description: 'Up to 1 000. Each stands before a stored one with its id.',
  })
  artifacts!: RawArtifact[]

  @Field(() => ID, {
    nullable: true,
    description: 'Environment that the scenarios run in, instead of their own.',
  })
  environmentId?: string | null

  @Field(() => StartedBy, {
    nullable: true,
    description: 'FILES, as if absent, or EDITOR for a try, which makes no event.',
  })
  startedBy?: StartedByName | null
}

@Resolver(() => ExecutionResult)
export class InlineResolver {
  constructor(private readonly inline: InlineService) {}

  @Mutation(() => ExecutionResult, {
    description:
      'Executes artifacts without storing them. Needs `executions:run` and `artifacts:write`, as it runs code of the caller.',
  })
  executeInline(
    @Arg('input', () => ExecuteInlineInput) input: ExecuteInlineInput,
    @Ctx() { caller }: Context,
  ): Promise<Execution> {
    return this.inline.execute({ ...input, idempotency: keyOf(input, caller) }, caller)
  }
}
