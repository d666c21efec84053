import { Field, InputType, ObjectType } from 'type-graphql'
import { enumType } from '../../../../platform/subgraph/enum-type.ts'
import type { LogLevel } from '../../../../runner/sandbox/child-message.ts'

export const ExecutionLogLevel = enumType<LogLevel>(
  'ExecutionLogLevel',
  'How grave a log line is.',
  {
    DEBUG: 'Details.',
    INFO: 'What happens.',
    WARN: 'What may matter.',
    ERROR: 'What failed.',
  },
)

@ObjectType({ description: 'A line of the log of an execution.' })
export class ExecutionLogLine {
  @Field(() => Date, { description: 'When it was written.' })
  time!: Date

  @Field(() => ExecutionLogLevel, { description: 'How grave it is.' })
  level!: LogLevel

  @Field(() => String, {
    description: 'What wrote it: a step by its id, a component by its name, Execution or Suite.',
  })
  source!: string

  @Field(() => String, { description: 'The text.' })
  message!: string
}

/** A line with its place. */
export interface LogLine extends ExecutionLogLine {
  /** Number of its update, and its place there from 1. */
  seq: number
  place: number
}

@InputType({ description: 'Which lines; what is absent does not matter.' })
export class ExecutionLogFilter {
  @Field(() => [ExecutionLogLevel], { nullable: true, description: 'Those of these levels.' })
  levels?: LogLevel[] | null

  @Field(() => [String], {
    nullable: true,
    description: 'Those of these sources, such as the id of a step.',
  })
  sources?: string[] | null

  @Field(() => String, {
    nullable: true,
    description: 'Path of a step: those written while it ran.',
  })
  step?: string | null

  @Field(() => String, { nullable: true, description: 'Those with this text, in any case.' })
  text?: string | null
}
