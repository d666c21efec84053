import { GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars'
import { Field, ID, Int, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import type { Attachment } from '../../../../runner/run/attachment.ts'
import type { StepCall as Call, Exchange } from '../../../../runner/run/evidence.ts'
import type * as run from '../../../../runner/run/run-scenario.ts'

export const StepState = enumType<run.StepResult['state']>('StepState', 'Where a step stands.', {
  RUNNING: 'It has begun.',
  COMPLETED: 'Every expectation held.',
  FAILED: 'An expectation did not hold.',
  ERROR: 'A technical fault.',
  SKIPPED: 'It was not run.',
})

export const CoverageLevel = enumType('CoverageLevel', 'What coverage counts.', {
  LINE: 'Executable lines.',
})

@ObjectType({ description: 'A request that a step sent; credentials are masked.' })
export class StepRequest {
  @Field(() => String, { description: 'Its method.' })
  method!: string

  @Field(() => String, { description: 'Where it went.' })
  url!: string

  @Field(() => GraphQLJSONObject, { description: 'Name → value; names in lower case.' })
  headers!: Record<string, string>

  @Field(() => String, {
    nullable: true,
    description:
      'At most its first 16 384 characters, 4 096 where the step succeeded; null without a body.',
  })
  body!: string | null

  @Field(() => Int, { description: 'Characters of the whole body, as masked.' })
  bodyLength!: number
}

@ObjectType({ description: 'The response to a request of a step; secrets are masked.' })
export class StepResponse {
  @Field(() => Int, { description: 'The HTTP status.' })
  status!: number

  @Field(() => GraphQLJSONObject, { description: 'Name → value; names in lower case.' })
  headers!: Record<string, string>

  @Field(() => String, {
    nullable: true,
    description:
      'At most its first 16 384 characters, 4 096 where the step succeeded; null without a body.',
  })
  body!: string | null

  @Field(() => Int, { description: 'Characters of the whole body, as masked.' })
  bodyLength!: number
}

@ObjectType({ description: 'What a step has sent and got.' })
export class StepExchange implements Exchange {
  @Field(() => StepRequest, { description: 'The last request of its last attempt.' })
  request!: StepRequest

  @Field(() => StepResponse, { nullable: true, description: 'Null where none came.' })
  response!: StepResponse | null

  @Field(() => Int, {
    description: 'Milliseconds until the whole response was there, or the request had failed.',
  })
  durationMs!: number
}

@ObjectType({ description: 'A call of a function of a component; secrets are masked.' })
export class StepCall implements Call {
  @Field(() => String, { description: 'Name of the component.' })
  component!: string

  @Field(() => String, { description: 'Name of the function.' })
  function!: string

  @Field(() => [GraphQLJSON], {
    nullable: 'itemsAndList',
    description: 'Its arguments; null where they are too long to be kept.',
  })
  args!: unknown[] | null

  @Field(() => GraphQLJSON, {
    nullable: true,
    description: 'What it returned; null also where it returned nothing, or too much to be kept.',
  })
  result?: unknown
}

@ObjectType({ description: 'A step of an execution.' })
export class StepResult implements run.StepResult {
  @Field(() => ID, { description: 'Unique among the steps of all executions.' })
  id!: string

  @Field(() => ID, {
    description: 'Its id in the scenario; `row[0]` for a row, `test[0]` for what a tool reported.',
  })
  stepId!: string

  @Field(() => String, {
    nullable: true,
    description:
      'Its id behind those of the rows and steps it stands in, with slashes between them; unique in the execution.',
  })
  path?: string

  @Field(() => String, {
    nullable: true,
    description:
      'Kind of the step, such as call or http; `row` for a row of the dataset, `test` for what a tool reported.',
  })
  kind?: string

  @Field(() => Int, {
    nullable: true,
    description: 'Row of the dataset, from 0; null without one.',
  })
  datasetRow?: number | null

  @Field(() => String, { description: 'Its name, else its id.' })
  name!: string

  @Field(() => StepState, { description: 'Where it stands.' })
  state!: run.StepResult['state']

  @Field(() => Date, { description: 'When it began.' })
  started!: Date

  @Field(() => Date, { nullable: true, description: 'When it ended; null while it runs.' })
  ended!: Date | null

  @Field(() => Int, { nullable: true, description: 'Milliseconds it took; null while it runs.' })
  durationMs!: number | null

  @Field(() => String, {
    nullable: true,
    description: 'Why it did not succeed; while it runs, the retry that it waits for.',
  })
  message!: string | null

  @Field(() => Int, {
    nullable: true,
    description: 'How often it was tried; null while it runs, and for what has no attempts.',
  })
  attempts?: number

  /** They have resolvers. */
  isOptional?: boolean
  exchange?: Exchange
  call?: Call
  captures?: Record<string, unknown>
  attachments?: Attachment[]
}

@ObjectType({ description: 'An expectation that did not hold.' })
export class ValidationFailure implements run.ValidationFailure {
  @Field(() => String, { description: 'Name of the expectation.' })
  name!: string

  @Field(() => String, { description: 'What was expected and what came.' })
  message!: string

  @Field(() => ID, { description: 'The step that expected it.' })
  stepId!: string

  @Field(() => String, { description: 'JSONPath (RFC 9535) into the result of the step.' })
  path!: string

  @Field(() => String, {
    description: 'The comparison, such as equals; `negative` or `test` where there is none.',
  })
  assert!: run.ValidationFailure['assert']

  @Field(() => GraphQLJSON, { nullable: true, description: 'What was expected.' })
  expectedValue!: unknown

  @Field(() => GraphQLJSON, { nullable: true, description: 'What came.' })
  actualValue!: unknown

  @Field(() => Int, {
    nullable: true,
    description: 'Row of the dataset, from 0; null without one.',
  })
  datasetRow!: number | null
}

@ObjectType({ description: 'Which lines of a component an execution ran.' })
export class CodeCoverage implements run.CodeCoverage {
  @Field(() => String, { description: 'Name of the component.' })
  componentName!: string

  @Field(() => Int, {
    description: 'round(100 · hit / (hit + untouched)); 100 where nothing is executable.',
  })
  coveragePercentage!: number

  @Field(() => CoverageLevel, { description: 'What is counted.' })
  level!: 'LINE'

  @Field(() => [String], { description: 'Labels of the measurement.' })
  tags!: string[]

  /** Its resolver decides who sees it. */
  sourceCode!: string

  @Field(() => [Int], { description: 'Numbers of the executable lines that ran, from 1.' })
  hitLines!: number[]

  @Field(() => [Int], { description: 'Numbers of the executable lines that did not run.' })
  untouchedLines!: number[]

  @Field(() => Int, { description: 'How many executions of the component are merged here.' })
  executionCount!: number
}
