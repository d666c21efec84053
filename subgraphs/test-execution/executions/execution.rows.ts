import { badInput } from '../../../formats/errors.ts'
import type { ExecutionEnded } from '../../../platform/jobs/execution-ended.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { HostCredentials } from '../../../runner/run/environment.ts'
import type { RunUpdate } from '../../../runner/run/run-scenario.ts'
import type { Execution, ExecutionRow } from './execution.entity.ts'
import type { Ending, ExecutionStateName, StoredUpdate } from './execution.ts'

/** Ids that the database takes. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The row as the domain sees it: what the mapper leaves out is null. */
export const toExecution = ({
  ended = null,
  message = null,
  errorCode = null,
  callback = null,
  suiteId = null,
  position = null,
  suite = null,
  environmentId = null,
  againOf = null,
  againId = null,
  causeId = null,
  ...row
}: Omit<ExecutionRow, 'snapshot' | 'credentials' | 'captures' | 'cause'>): Execution => ({
  ...row,
  ...{
    ended,
    message,
    errorCode,
    callback,
    suiteId,
    position,
    suite,
    environmentId,
    againOf,
    againId,
    causeId,
  },
})

/** The row that says which state an execution is in now. */
export const stateUpdate = ({ id, state, updateCount }: Execution): StoredUpdate => ({
  executionId: id,
  seq: updateCount,
  kind: 'STATE',
  state,
  step: null,
  log: null,
})

/** Updates of a run, as rows behind `seq`. */
export const runUpdates = (
  executionId: string,
  seq: number,
  updates: readonly RunUpdate[],
  state: ExecutionStateName = 'RUNNING',
): StoredUpdate[] =>
  updates.map((update, index) => ({
    executionId,
    seq: seq + 1 + index,
    kind: update.kind,
    state,
    step: update.kind === 'STEP' ? update.step : null,
    log: update.kind === 'LOG' ? update.lines : null,
  }))

/** The job that reports an ended execution to the events subgraph. */
export const endedJob = (
  execution: Execution,
  { state, message }: Ending,
  ended: Date,
): ExecutionEnded => ({
  executionId: execution.id,
  requestId: execution.requestId,
  contextId: execution.contextId,
  contextType: execution.type === 'SUITE' ? 'suite' : 'testcase',
  title: execution.contextName,
  message,
  state,
  ended: ended.toISOString(),
})

/** Characters of host credentials at most. */
const CREDENTIALS_LENGTH = { userId: 255, password: 4_096 } as const

/** @throws AppError BAD_USER_INPUT */
export function checkCredentials(credentials: HostCredentials | null | undefined): void {
  if (!credentials) return
  for (const [name, most] of Object.entries(CREDENTIALS_LENGTH)) {
    const text = credentials[name as keyof HostCredentials]
    if (text.length > most || text.includes('\0'))
      throw badInput(
        `credentials: expected a ${name} of at most ${most} characters, none of them NUL`,
      )
  }
}

/** Sealed as the database holds them; null for none, and for those of a host that asks for none. */
export const sealedCredentials = (
  credentials: HostCredentials | null | undefined,
  secrets: Pick<Secrets, 'seal'>,
): string | null =>
  credentials?.userId || credentials?.password ? secrets.seal(JSON.stringify(credentials)) : null
