import { Field, ID, Int, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import type { StepResult } from '../../../../runner/run/run-scenario.ts'
import type { Execution } from '../execution.entity.ts'
import { ExecutionResult } from '../execution.type.ts'
import { StepState } from '../read/outcome.type.ts'

export const StepChange = enumType(
  'StepChange',
  'What became of a step from one execution to another.',
  {
    SAME: 'It ended as before.',
    FIXED: 'It is COMPLETED, and was not.',
    BROKEN: 'It was COMPLETED, and is not.',
    CHANGED: 'It ended otherwise, or for another reason.',
    ADDED: 'Only the later execution has it.',
    REMOVED: 'Only the earlier execution has it.',
  },
)
export type StepChangeName = keyof typeof StepChange

@ObjectType({ description: 'A step in two executions; of suites a scenario.' })
export class ComparedStep {
  @Field(() => String, {
    description: 'Its path in the execution; of suites the id of the scenario.',
  })
  path!: string

  @Field(() => ID, {
    nullable: true,
    description:
      'Id of the environment that the scenario ran in; null unless scenarios ran in several, and for a step.',
  })
  environmentId!: string | null

  @Field(() => String, { description: 'Its name.' })
  name!: string

  @Field(() => StepChange, { description: 'What became of it.' })
  change!: StepChangeName

  @Field(() => StepState, { nullable: true, description: 'Null where the earlier one has none.' })
  stateBefore!: StepResult['state'] | null

  @Field(() => StepState, { nullable: true, description: 'Null where the later one has none.' })
  stateAfter!: StepResult['state'] | null

  @Field(() => Int, { nullable: true, description: 'Milliseconds it took in the earlier one.' })
  durationMsBefore!: number | null

  @Field(() => Int, { nullable: true, description: 'Milliseconds it took in the later one.' })
  durationMsAfter!: number | null

  @Field(() => String, {
    nullable: true,
    description: 'Why it did not succeed in the earlier one.',
  })
  messageBefore!: string | null

  @Field(() => String, { nullable: true, description: 'Why it did not succeed in the later one.' })
  messageAfter!: string | null
}

@ObjectType({ description: 'Two executions side by side.' })
export class ExecutionComparison {
  @Field(() => ExecutionResult, {
    nullable: true,
    description: 'The one to compare with; null where there is none before.',
  })
  before!: Execution | null

  @Field(() => ExecutionResult, { description: 'The one that is compared.' })
  after!: Execution

  @Field(() => [ComparedStep], {
    description: 'The steps of `after` in their order, then those that only `before` has.',
  })
  steps!: ComparedStep[]
}
