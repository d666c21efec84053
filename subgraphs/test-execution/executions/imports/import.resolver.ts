import { hash } from 'node:crypto'
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import type { Context } from '../../../../platform/access/caller.ts'
import { readIdempotencyKey } from '../../../../platform/request/idempotency-key.ts'
import type { Execution } from '../execution.entity.ts'
import { ExecutionResult } from '../execution.type.ts'
import type { ImportService } from './import.service.ts'
import { ImportExecutionInput } from './import.type.ts'

@Resolver(() => ExecutionResult)
export class ImportResolver {
  constructor(private readonly imports: Pick<ImportService, 'import'>) {}

  @Mutation(() => ExecutionResult, {
    description:
      'Stores results of scenarios that ran elsewhere as the ended execution of a suite: it stands in lists, trends and reports, and each end is an event.',
  })
  importExecution(
    @Arg('input', () => ImportExecutionInput) input: ImportExecutionInput,
    @Ctx() { caller }: Context,
  ): Promise<Execution> {
    const { idempotencyKey, ...what } = input
    const digest = hash('sha256', JSON.stringify(['import', what]), 'base64url')
    const key = idempotencyKey == null ? null : readIdempotencyKey(idempotencyKey, caller, digest)
    return this.imports.import(what, key, caller)
  }
}
