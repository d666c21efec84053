import { FieldResolver, Resolver, Root } from 'type-graphql'
import { inSlices } from '../../platform/async/in-turns.ts'
import type { ReadBudget } from '../../platform/paging/read-budget.ts'
import { sizeOf } from '../runners/json-size.ts'
import { type Execution, isFlaky } from './execution.ts'
import { ExecutionResult } from './execution.type.ts'
import { skippedScenarios } from './suite-run.ts'
import { EarlierTry, SkippedScenario } from './tries.type.ts'

/** What retries, quarantine and needs have made of an execution. */
@Resolver(() => ExecutionResult)
export class TriesResolver {
  constructor(private readonly budget: ReadBudget) {}

  @FieldResolver(() => [EarlierTry], {
    description:
      'Tries before the last one, of a scenario with `retries`, in order; `steps` are those of the last one.',
  })
  tries(@Root() { tries }: Execution) {
    if (tries.length === 0) return []
    return this.budget.inTurn(async () => ({ value: inSlices(tries), bytes: sizeOf(tries) }))
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether it is COMPLETED, but was not in an earlier try.',
  })
  isFlaky(@Root() execution: Execution): boolean {
    return isFlaky(execution)
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether its scenario is in quarantine, so that it makes no suite fail.',
  })
  isQuarantined(@Root() { isQuarantined }: Execution): boolean {
    return isQuarantined
  }

  @FieldResolver(() => [SkippedScenario], {
    description:
      'Scenarios of a suite that never ran: what they need did not succeed, or the suite ended before.',
  })
  skippedScenarios(@Root() { suite }: Execution): SkippedScenario[] {
    return suite ? skippedScenarios(suite) : []
  }
}
