import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { holdPosition } from '../../../platform/position/position-sql.ts'
import type {
  CodeCoverage,
  StepResult,
  ValidationFailure,
} from '../../../runner/run/run-scenario.ts'
import type { CallbackTarget } from '../callbacks/callback.ts'
import type { ArtifactRevision, ExecutionSnapshot } from './accept/snapshot.ts'
import type {
  Cause,
  EarlierTry,
  ExecutionStateName,
  ExecutionTypeName,
  Labels,
  StartedByName,
  SuiteRun,
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
    /** Begun without a sign-in: every caller that knows its id may read it. */
    open: p.boolean(),
    /** Receives the end of the execution. */
    callback: p.json<CallbackTarget>().nullable(),
    /** Id of the request that asked for it. */
    requestId: p.text(),
    steps: p.json<StepResult[]>(),
    validationFailures: p.json<ValidationFailure[]>(),
    codeCoverage: p.json<CodeCoverage[]>(),
    /** The execution of a suite that this one belongs to, and its place there from 0. */
    suiteId: p.uuid().nullable(),
    position: p.integer().nullable(),
    /** Progress of a suite's execution; null for a scenario. */
    suite: p.json<SuiteRun>().nullable(),
    /** True if steps, log, sources and lines were deleted because of their age. */
    detailsPruned: p.boolean().default(false),
    labels: p.json<Labels>().defaultRaw(`'{}'`),
    /** Environment that it runs in; that of a suite only where all of its scenarios run in the same. */
    environmentId: p.text().nullable(),
    /** Revisions that it runs; those of a suite without its members. */
    revisions: p.json<ArtifactRevision[]>().defaultRaw(`'[]'`),
    /** The same for executions that ran the same. */
    revisionDigest: p.text().default(''),
    /** Those before the last one, in order. */
    tries: p.json<EarlierTry[]>().defaultRaw(`'[]'`),
    /** True if its failure counts for nothing in its suite. */
    isQuarantined: p.boolean().default(false),
    startedBy: p.string().$type<StartedByName>().default('USER'),
    /** The execution that this one repeats. */
    againOf: p.uuid().nullable(),
    /** The execution that repeats this one, or the suite that this one is a member of. Then statistics count that one. */
    againId: p.uuid().nullable(),
    /** Id of its cause. */
    causeId: p.string().nullable(),
    /** Cause of its failure; null for those of versions that did not store it, and once its details were deleted. */
    cause: p.json<Cause>().lazy().nullable(),
    /** Sealed: what the setup of a suite captured; dropped when the suite ends. */
    captures: p.text().lazy().nullable(),
    /** Snapshot of the artifacts when the execution was accepted; dropped when it ends. */
    snapshot: p.json<ExecutionSnapshot>().lazy().nullable(),
    /** Sealed host credentials; dropped when the execution ends. */
    credentials: p.text().lazy().nullable(),
  },
  indexes: [
    { name: 'execution_suite_id_position_index', properties: ['suiteId', 'position'] },
    { name: 'execution_context_id_id_index', properties: ['contextId', 'id'] },
    { name: 'execution_context_name_id_index', properties: ['contextName', 'id'] },
    { name: 'execution_state_id_index', properties: ['state', 'id'] },
    { name: 'execution_environment_id_id_index', properties: ['environmentId', 'id'] },
    { name: 'execution_executed_by_id_index', properties: ['executedBy', 'id'] },
    { name: 'execution_started_by_id_index', properties: ['startedBy', 'id'] },
    { name: 'execution_started_index', properties: ['started'] },
    { name: 'execution_ended_index', properties: ['ended'] },
    {
      name: 'execution_cause_index',
      expression:
        'create index "execution_cause_index" on "test_execution"."execution" ("cause_id", "id") where cause_id is not null',
    },
    {
      name: 'execution_labels_index',
      expression:
        'create index "execution_labels_index" on "test_execution"."execution" using gin ("labels" jsonb_path_ops)',
    },
    {
      name: 'execution_revisions_index',
      expression:
        'create index "execution_revisions_index" on "test_execution"."execution" using gin ("revisions" jsonb_path_ops)',
    },
    {
      name: 'execution_waiting_index',
      expression: `create index "execution_waiting_index" on "test_execution"."execution" ("id") where state = 'RUNNING' and attempt = 0`,
    },
    {
      name: 'execution_prunable_index',
      expression:
        'create index "execution_prunable_index" on "test_execution"."execution" ("ended") where not details_pruned',
    },
  ],
})

export type ExecutionRow = InferEntity<typeof ExecutionEntity>

/** An execution with its result so far: its row, without columns that are loaded on demand. */
export type Execution = {
  [Column in Exclude<
    keyof ExecutionRow,
    'snapshot' | 'credentials' | 'captures' | 'cause' | symbol
  >]-?: Exclude<ExecutionRow[Column], undefined>
}

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
    /** Position of a change of state among all of them: see platform/position. */
    position: p.bigint('string').nullable().autoincrement().lazy(),
  },
  indexes: [
    {
      name: 'execution_update_state_index',
      expression: `create index "execution_update_state_index" on "test_execution"."execution_update" ("position") where "position" is not null`,
    },
  ],
  triggers: [holdPosition('test_execution', 'execution_update')],
})

/** A scenario of a suite that is still to begin. */
export const SuiteMemberEntity = defineEntity({
  name: 'SuiteMember',
  tableName: 'suite_member',
  properties: {
    suiteId: p.uuid().primary(),
    position: p.integer().primary(),
    contextId: p.string(),
    contextName: p.text(),
    useCodeCoverage: p.boolean(),
    snapshot: p.json<ExecutionSnapshot>(),
    revisionDigest: p.text().default(''),
    /** Positions of what must be COMPLETED first. */
    needs: p.array<number>().columnType('int[]').defaultRaw(`'{}'`),
    isTeardown: p.boolean().default(false),
  },
})
