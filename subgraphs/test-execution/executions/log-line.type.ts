import { Field, ObjectType, registerEnumType } from 'type-graphql'
import type { LogLevel } from '../runners/sandbox/child-message.ts'

export const ExecutionLogLevel = {
  DEBUG: 'DEBUG',
  INFO: 'INFO',
  WARN: 'WARN',
  ERROR: 'ERROR',
} as const satisfies Record<LogLevel, string>
registerEnumType(ExecutionLogLevel, {
  name: 'ExecutionLogLevel',
  description: 'How grave a log line is.',
  valuesConfig: {
    DEBUG: { description: 'Details.' },
    INFO: { description: 'What happens.' },
    WARN: { description: 'What may matter.' },
    ERROR: { description: 'What failed.' },
  },
})

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
