import { Field, ObjectType } from 'type-graphql'
import { enumType } from '../../platform/subgraph/enum-type.ts'
import type { LogLevel } from '../runners/sandbox/child-message.ts'

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

/** A line of the log of an execution, taken apart. */
export interface LogLine {
  time: Date
  level: LogLevel
  source: string
  message: string
  /** Number of its update, and its place there from 1. */
  seq: number
  place: number
}

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
