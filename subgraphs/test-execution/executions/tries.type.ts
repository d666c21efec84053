import { Field, ObjectType } from 'type-graphql'
import type * as domain from './execution.ts'
import { ExecutionState } from './execution.type.ts'
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
