import { Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql'
import { sizeOf } from '../../../../formats/json/values.ts'
import { inSlices } from '../../../../platform/async/turns.ts'
import type { ReadBudget } from '../../../../platform/paging/read-budget.ts'
import type { Execution } from '../execution.entity.ts'
import type * as domain from '../execution.ts'
import { isFlaky } from '../execution.ts'
import { ExecutionResult, ExecutionState } from '../execution.type.ts'
import { skippedScenarios } from '../suite/suite-run.ts'
import { graphSteps } from './graph-ids.ts'
import { StepResult, ValidationFailure } from './outcome.type.ts'

@ObjectType({ description: 'A try of an execution behind which it was run again.' })
export class EarlierTry implements domain.EarlierTry {
  @Field(() => ExecutionState, { description: 'How it ended: FAILED or ERROR.' })
  state!: domain.FinalState

  @Field(() => String, { description: 'Why.' })
  message!: string

  @Field(() => String, { nullable: true, description: 'Reason of an ERROR.' })
  errorCode!: string | null

  @Field(() => Date, { description: 'When it began.' })
  started!: Date

  @Field(() => Date, { description: 'When it ended.' })
  ended!: Date

  @Field(() => [StepResult], {
    description: 'Its steps; empty once details of that age were deleted.',
  })
  steps!: StepResult[]

  @Field(() => [ValidationFailure], { description: 'The expectations that did not hold.' })
  validationFailures!: ValidationFailure[]
}

@ObjectType({ description: 'A scenario of a suite that never ran.' })
export class SkippedScenario implements domain.SkippedScenario {
  @Field(() => String, { description: 'Its name.' })
  name!: string

  @Field(() => String, { description: 'Why, such as the scenario that it needs.' })
  reason!: string
}

/** Effects of retries, quarantine and needs on an execution. */
@Resolver(() => ExecutionResult)
export class TriesResolver {
  constructor(private readonly budget: ReadBudget) {}

  @FieldResolver(() => [EarlierTry], {
    description:
      'Tries before the last one, of a scenario with `retries`, in order; `steps` are those of the last one.',
  })
  tries(@Root() { id, tries }: Execution) {
    if (tries.length === 0) return []
    const shown = tries.map((each, at) => ({ ...each, steps: graphSteps(id, each.steps, at) }))
    return this.budget.inTurn(async () => ({ value: inSlices(shown), bytes: sizeOf(tries) }))
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
