import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql'
import { notFound } from '../../../../schema/errors.ts'
import type { Context } from '../../../shared/caller.ts'
import { type ExecutionService, keepsDetails } from '../execution.service.ts'
import type { Execution } from '../execution.ts'
import { compared, stepsOf } from './comparison.ts'
import { ExecutionComparison } from './comparison.type.ts'

/** Puts executions side by side. */
@Resolver(() => ExecutionComparison)
export class ComparisonResolver {
  constructor(private readonly executions: ExecutionService) {}

  @Query(() => ExecutionComparison, {
    description:
      'Two executions step by step; two suites scenario by scenario. NOT_FOUND, or GONE once their details were deleted.',
  })
  async compareExecutions(
    @Arg('before', () => ID, { description: 'Id of the result to compare with.' }) before: string,
    @Arg('after', () => ID, { description: 'Id of the result that is compared.' }) after: string,
    @Ctx() { caller }: Context,
  ): Promise<ExecutionComparison> {
    const find = async (id: string): Promise<Execution> =>
      keepsDetails(
        (await this.executions.read(id, caller)) ??
          (await Promise.reject(notFound('execution result', id))),
      )
    const [earlier, later] = [await find(before), await find(after)]
    const sides = [earlier, later].map(async (side) =>
      stepsOf(side, await this.executions.members(side)),
    )
    const [a = [], b = []] = await Promise.all(sides)
    return { before: earlier, after: later, steps: compared(a, b) }
  }
}
