import { createUnionType, Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { enumType } from '../../../platform/subgraph/enum-type.ts'
import { Suite } from '../artifacts/suite/suite.type.ts'
import { TestCase } from '../artifacts/testcase/testcase.type.ts'
import type {
  ExecutionStateName,
  ExecutionTypeName,
  StartedByName,
  UpdateKindName,
} from './execution.ts'
import { CodeCoverage, StepResult, ValidationFailure } from './read/outcome.type.ts'

export const ExecutionType = enumType<ExecutionTypeName>('ExecutionType', 'What was executed.', {
  TEST: 'One scenario.',
  SUITE: 'A suite of scenarios.',
})

export const ExecutionState = enumType<ExecutionStateName>(
  'ExecutionState',
  'Where an execution stands. All but RUNNING are final.',
  {
    RUNNING: 'Accepted; waiting for a worker or running.',
    COMPLETED: 'Every expectation held.',
    FAILED: 'At least one expectation did not hold.',
    ERROR: 'A technical fault: `message` and `errorCode` say which.',
  },
)

export const StartedBy = enumType<StartedByName>('StartedBy', 'The origin of an execution.', {
  USER: 'A person or program executed what is stored.',
  EDITOR: 'A try in the editor. It makes no event.',
  FILES: 'Files that were not stored, as `assay run FILES` does.',
  SCHEDULE: 'A schedule.',
  TRIGGER: 'A trigger.',
  AGAIN: 'The repetition of another execution.',
  IMPORT: 'It ran elsewhere; its report was imported.',
  COMPONENT: 'All scenarios of a component in an environment.',
})

export const AgainScopeType = enumType('AgainScope', 'The part of an execution to repeat.', {
  ALL: 'All of it.',
  NOT_PASSED: 'Scenarios that are not COMPLETED, and those that never began.',
  FLAKY: 'Scenarios that passed only when they were tried again.',
})

export const AgainRevisions = enumType(
  'AgainRevisions',
  'The revisions of artifacts that a repetition runs.',
  {
    NOW: 'As they are stored now.',
    THEN: 'As that execution ran them; values of secrets are those of now. CONFLICT where a revision is no longer kept.',
  },
)

export const ExecutionUpdateKind = enumType<UpdateKindName>(
  'ExecutionUpdateKind',
  'The content of an update.',
  {
    STATE: 'The state of the execution.',
    STEP: 'A step, or a scenario of a suite, began or ended; see `step`.',
    LOG: 'New log lines; see `log`.',
  },
)

export const ReportFormat = enumType('ReportFormat', 'XML vocabulary of a report.', {
  XA: 'XaUnitResult, as the REST interface returns it.',
  JUNIT: 'JUnit, as build servers read it.',
})

export const ExecutionContext = createUnionType({
  name: 'ExecutionContext',
  description: 'What an execution executes.',
  types: () => [TestCase, Suite] as const,
  resolveType: (context) => ('testCases' in context ? Suite : TestCase),
})

@ObjectType({ description: 'What an execution is marked with.' })
export class ExecutionLabel {
  @Field(() => String, { description: 'Its name, such as build.' })
  name!: string

  @Field(() => String, { description: 'Its value, such as 42.' })
  value!: string
}

@ObjectType({ description: 'An artifact as an execution has run it.' })
export class ExecutedRevision {
  @Field(() => String, {
    description: 'Its kind as REST calls it: testcase, suite, component or environment.',
  })
  kind!: string

  @Field(() => ID, { description: 'Unique among those of all executions.' })
  id!: string

  @Field(() => ID, { description: 'Id of the artifact, also after it was deleted.' })
  artifactId!: string

  @Field(() => Int, {
    description: 'The revision that ran; 0 for one that was not stored.',
  })
  revision!: number

  /** It has a resolver. */
  name?: string | null
}

@ObjectType({ description: 'An execution and its result so far.' })
@Directive('@key(fields: "id")')
export class ExecutionResult {
  @Field(() => ID, { description: 'Identifies the result.' })
  id!: string

  @Field(() => ExecutionType, { description: 'Whether a scenario or a suite was executed.' })
  type!: ExecutionTypeName

  @Field(() => ID, { description: 'Id of the scenario or suite, also after it was deleted.' })
  contextId!: string

  @Field(() => ExecutionState, { description: 'Where the execution stands.' })
  state!: ExecutionStateName

  @Field(() => Date, { description: 'When the execution was accepted.' })
  started!: Date

  @Field(() => Date, { nullable: true, description: 'When it ended; null while it runs.' })
  ended!: Date | null

  @Field(() => String, {
    nullable: true,
    description: 'Why it did not succeed; empty on success, null while it runs.',
  })
  message!: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Reason of an ERROR, such as TIMEOUT or SCRIPT_ERROR.',
  })
  errorCode!: string | null

  @Field(() => String, { description: 'The user that ran it.' })
  executedBy!: string

  @Field(() => StartedBy, {
    description:
      'Its origin; that of the suite for a member. USER for those of versions that did not store it.',
  })
  startedBy!: StartedByName

  @Field(() => String, {
    description: 'Name of the scenario or suite, as it was when it was accepted.',
  })
  contextName!: string

  @Field(() => ID, {
    nullable: true,
    description:
      'Id of the environment that it runs in; null without one, and for a suite whose scenarios run in several.',
  })
  environmentId!: string | null

  @Field(() => [ExecutedRevision], {
    description:
      'The artifacts that it runs with their revisions; of a suite its own alone, as each of its scenarios has its own.',
  })
  revisions!: ExecutedRevision[]

  @Field(() => Boolean, {
    description: 'Whether line coverage is collected; at the end, whether any was.',
  })
  useCodeCoverage!: boolean

  @Field(() => [ValidationFailure], { description: 'The expectations that did not hold.' })
  validationFailures!: ValidationFailure[]

  @Field(() => [CodeCoverage], { description: 'Coverage of each component; empty while running.' })
  codeCoverage!: CodeCoverage[]

  @Field(() => [StepResult], {
    description:
      'The steps so far, in the order in which they began; empty for a suite, whose scenarios stand in `testCaseResults`.',
  })
  steps!: StepResult[]
}

@ObjectType({ description: 'How far an execution is.' })
export class ExecutionProgress {
  @Field(() => Int, {
    nullable: true,
    description:
      'Its place among the executions that wait for a worker, from 1; null when it waits no longer. For a suite the place of its first scenario, while none of them runs.',
  })
  queuePosition!: number | null

  @Field(() => Int, { description: 'How many scenarios it consists of: 1 unless it is a suite.' })
  scenarios!: number

  @Field(() => Int, { description: 'How many of them have ended.' })
  scenariosEnded!: number
}

@ObjectType({ description: 'One change of an execution.' })
export class ExecutionUpdate {
  @Field(() => String, { description: 'Pass it as `after` to continue behind this update.' })
  cursor!: string

  @Field(() => ExecutionUpdateKind, { description: 'The content of the update.' })
  kind!: UpdateKindName

  @Field(() => ExecutionResult, {
    description:
      'The execution: its own state, times and coverage as they were then; steps, log, progress, results of scenarios and events as they are when it is sent.',
  })
  execution!: ExecutionResult

  @Field(() => StepResult, {
    nullable: true,
    description:
      'The step that began or ended. For a suite it is a scenario, whose `stepId` is the id of its own result.',
  })
  step!: StepResult | null

  @Field(() => [String], {
    nullable: true,
    description:
      'New log lines. A first update without `after` may have had some of them in the log of its `execution`.',
  })
  log!: string[] | null
}
