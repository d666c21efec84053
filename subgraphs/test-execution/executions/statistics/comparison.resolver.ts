import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql'
import { notFound } from '../../../../formats/errors.ts'
import type { Context } from '../../../../platform/access/caller.ts'
import type { Execution } from '../execution.entity.ts'
import { type ExecutionService, keepsDetails } from '../execution.service.ts'
import { compared, stepsOf } from './comparison.ts'
import { ExecutionComparison } from './comparison.type.ts'
import type { StatisticsRepository } from './statistics.repository.ts'

/** Puts executions side by side. */
@Resolver(() => ExecutionComparison)
export class ComparisonResolver {
  constructor(
    private readonly executions: ExecutionService,
    private readonly statistics: StatisticsRepository,
  ) {}

  @Query(() => ExecutionComparison, {
    description:
      'Two executions step by step; two suites scenario by scenario. NOT_FOUND, or GONE once their details were deleted.',
  })
  async compareExecutions(
    @Arg('after', () => ID, { description: 'Id of the result that is compared.' }) after: string,
    @Ctx() { caller }: Context,
    @Arg('before', () => ID, {
      nullable: true,
      description:
        'Id of the result to compare with; if absent the last COMPLETED one before it of the same scenario or suite, else the last one.',
    })
    before?: string | null,
  ): Promise<ExecutionComparison> {
    const find = async (id: string): Promise<Execution> =>
      keepsDetails(
        (await this.executions.read(id, caller)) ??
          (await Promise.reject(notFound('execution result', id))),
      )
    const later = await find(after)
    const earlierId = before ?? (await this.statistics.before(later))
    const earlier = earlierId === null ? null : await find(earlierId)
    const steps = async (side: Execution) => stepsOf(side, await this.executions.members(side))
    const [a, b] = [earlier ? await steps(earlier) : [], await steps(later)]
    return { before: earlier, after: later, steps: compared(a, b) }
  }
}
