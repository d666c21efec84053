import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionType } from '../../../../platform/paging/connection.type.ts'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import type { VerdictName } from './failure-verdict.entity.ts'

export const FailureVerdict = enumType<VerdictName>('FailureVerdict', 'Where the fault lies.', {
  PRODUCT: 'In what is tested.',
  TEST: 'In the scenario.',
  ENVIRONMENT: 'In what both run on, such as a network or a service of others.',
  FLAKY: 'It comes and goes by itself.',
})

@ObjectType({ description: 'A scenario that failed by a cause, in one environment.' })
export class FailingScenario {
  @Field(() => ID, { description: 'Id of the scenario, also after it was deleted.' })
  contextId!: string

  @Field(() => String, { description: 'Its name in the last of these executions.' })
  name!: string

  @Field(() => ID, { nullable: true, description: 'Id of the environment; null without one.' })
  environmentId!: string | null

  @Field(() => Int, { description: 'How many of its executions failed by the cause.' })
  count!: number

  @Field(() => ID, { description: 'Id of the last of them.' })
  lastId!: string

  @Field(() => Boolean, {
    description: 'Whether its last execution in that environment failed by the cause, too.',
  })
  isCurrent!: boolean

  @Field(() => Boolean, {
    description: 'Whether it was in quarantine at the last of these executions.',
  })
  isQuarantined!: boolean
}

@ObjectType({ description: 'A suite that a cause made fail.' })
export class FailingSuite {
  @Field(() => ID, { description: 'Id of the suite, also after it was deleted.' })
  contextId!: string

  @Field(() => String, { description: 'Its name.' })
  name!: string
}

@ObjectType({
  description:
    'The common reason of failures that are alike. Counts, times and scenarios are those of the executions that the list was asked for.',
})
export class FailureCause {
  @Field(() => ID, {
    description:
      'Unique for each list, as its counts are; over all executions the same as `causeId`.',
  })
  id!: string

  @Field(() => ID, { description: 'The same for equal failures of any scenario, in each list.' })
  causeId!: string

  @Field(() => String, {
    description:
      'Kind of the fault: an error code such as UNREACHABLE, `HTTP_503` and the like, EXPECTATION, or TEST where a tool reported it.',
  })
  fault!: string

  @Field(() => String, {
    description:
      'The place: the host that failed, else a component, else the step by its name; empty without any.',
  })
  step!: string

  @Field(() => String, {
    description: 'Path and assert of the expectation; empty where none decided it.',
  })
  expectation!: string

  @Field(() => String, {
    description: 'The message of the last one, without numbers, ids, times and quoted values.',
  })
  message!: string

  @Field(() => Int, { description: 'How many executions failed by it.' })
  count!: number

  @Field(() => Date, { description: 'When the first of them was accepted.' })
  firstSeen!: Date

  @Field(() => Date, { description: 'When the last of them was accepted.' })
  lastSeen!: Date

  @Field(() => Int, { description: 'How many scenarios failed by it, each environment by itself.' })
  scenarioCount!: number

  @Field(() => Int, {
    description: 'How many of these failed by it in their last execution, too; 0 once it is gone.',
  })
  currentCount!: number

  @Field(() => [FailingScenario], {
    description: 'Those that failed last, at most 20 (MAX_CAUSE_SCENARIOS).',
  })
  scenarios!: FailingScenario[]

  @Field(() => [FailingSuite], {
    description: 'Suites in which they ran, by name, at most 20 (MAX_CAUSE_SCENARIOS).',
  })
  suites!: FailingSuite[]

  @Field(() => FailureVerdict, {
    nullable: true,
    description: 'Where the fault lies, as people say.',
  })
  verdict!: VerdictName | null

  @Field(() => String, { nullable: true, description: 'Who takes care of it.' })
  owner!: string | null

  @Field(() => String, { nullable: true, description: 'What people say of it.' })
  comment!: string | null

  @Field(() => String, { nullable: true, description: 'A ticket: its address or its key.' })
  ticket!: string | null

  @Field(() => String, { nullable: true, description: 'The user that said so last.' })
  verdictBy!: string | null

  @Field(() => Date, { nullable: true, description: 'When.' })
  verdictAt!: Date | null

  sinceId!: string | null
  lastGoodId!: string | null
}

export const FailureCauseConnection = connectionType(() => FailureCause, 'FailureCause')

@InputType({ description: 'Selects causes. An absent condition matches all.' })
export class FailureCauseFilter {
  @Field(() => [FailureVerdict], {
    nullable: 'itemsAndList',
    description: 'Those with one of these verdicts; null stands for causes without one.',
  })
  verdicts?: (VerdictName | null)[] | null

  @Field(() => [String], { nullable: true, description: 'Those of one of these owners.' })
  owners?: string[] | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only causes by which the last execution of some scenario failed.',
  })
  isCurrent?: boolean | null
}

@InputType({ description: 'What people say of a cause. It replaces what was said before.' })
export class SetFailureVerdictInput {
  @Field(() => ID, { description: 'The `causeId` or `id` of the cause.' })
  id!: string

  @Field(() => FailureVerdict, { nullable: true, description: 'Where the fault lies.' })
  verdict?: VerdictName | null

  @Field(() => String, {
    nullable: true,
    description: 'Who takes care of it, in at most 255 characters.',
  })
  owner?: string | null

  @Field(() => String, { nullable: true, description: 'At most 4000 characters.' })
  comment?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'A ticket, its address or key, in at most 2000 characters.',
  })
  ticket?: string | null
}

@InputType({ description: 'A scenario to put into quarantine, or to take out of it.' })
export class SetQuarantineInput {
  @Field(() => ID, { description: 'Id of the scenario.' })
  id!: string

  @Field(() => Boolean, {
    description: 'Whether it runs on, but its failure makes no suite fail.',
  })
  quarantine!: boolean
}
