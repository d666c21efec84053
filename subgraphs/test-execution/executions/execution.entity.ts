import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { CodeCoverage, StepResult, ValidationFailure } from '../runners/run-scenario.ts'
import type {
  ExecutionSnapshot,
  ExecutionStateName,
  ExecutionTypeName,
  UpdateKindName,
} from './execution.ts'

/** The row of an execution and its result. Field names match the GraphQL type, so a row is a valid parent. */
export const ExecutionEntity = defineEntity({
  name: 'Execution',
  tableName: 'execution',
  properties: {
    id: p.uuid().primary(),
    type: p.string().$type<ExecutionTypeName>(),
    contextId: p.string(),
    contextName: p.text(),
    state: p.string().$type<ExecutionStateName>(),
    /** Counts the runs; 0 while waiting. A worker writes only while its own run is the current one. */
    attempt: p.integer(),
    /** Number of updates written; the last one's `seq`. */
    updateCount: p.integer(),
    started: p.datetime(3),
    ended: p.datetime(3).nullable(),
    message: p.text().nullable(),
    /** Reason of an ERROR as a code. */
    errorCode: p.string().nullable(),
    executedBy: p.text(),
    useCodeCoverage: p.boolean(),
    /** Told how it ended. */
    callbackUrl: p.text().nullable(),
    steps: p.json<StepResult[]>(),
    validationFailures: p.json<ValidationFailure[]>(),
    codeCoverage: p.json<CodeCoverage[]>(),
    /** What is executed, as it was when the execution was accepted. */
    snapshot: p.json<ExecutionSnapshot>().lazy(),
    /** Sealed host credentials; dropped when the execution ends. */
    credentials: p.text().lazy().nullable(),
  },
})

export type ExecutionRow = InferEntity<typeof ExecutionEntity>

/** One change of an execution, in the order in which they were committed. */
export const ExecutionUpdateEntity = defineEntity({
  name: 'ExecutionUpdate',
  tableName: 'execution_update',
  properties: {
    executionId: p.uuid().primary(),
    seq: p.integer().primary(),
    kind: p.string().$type<UpdateKindName>(),
    state: p.string().$type<ExecutionStateName>(),
    step: p.json<StepResult>().nullable(),
    log: p.json<string[]>().nullable(),
  },
})
