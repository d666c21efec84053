import { attachmentFileName } from '../../../formats/attachment-name.ts'
import { AppError, badInput, notFound } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { OutboundError } from '../../../platform/outbound/outbound-error.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { PubSub } from '../../../platform/pub-sub/pub-sub.ts'
import type { IdempotencyKey } from '../../../platform/request/idempotency-key.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { ReportedResult } from '../../../runner/reports/reported-result.ts'
import type { HostCredentials } from '../../../runner/run/environment.ts'
import { sanitizeText } from '../../../runner/run/mask.ts'
import type { TestCase } from '../artifacts/testcase/testcase.type.ts'
import type { CallbackTarget } from '../callbacks/callback.ts'
import { targetOf } from '../callbacks/callback-url.ts'
import type { OpenCallbacks } from '../callbacks/open-callbacks.ts'
import type { Admission, Turn } from './accept/admission.ts'
import { type ExecutionPlanner, newExecution, type PlannedOver } from './accept/plan.ts'
import { isStranger, requireRunRight } from './accept/run-right.ts'
import type { Execution } from './execution.entity.ts'
import type { Alongside, ExecutionRepository } from './execution.repository.ts'
import { checkCredentials, sealedCredentials } from './execution.rows.ts'
import {
  EXECUTION_CANCELLED,
  EXECUTION_OVER,
  type ExecutionTypeName,
  isFinal,
  type Label,
  readLabels,
  type StartedByName,
} from './execution.ts'
import type { ExecutionProgress } from './execution.type.ts'
import { isReported, reportedTests, reporterOf } from './read/reported-tests.ts'
import { runAlone } from './suite/suite-plan.ts'
import { endedScenarios, skippedScenarios } from './suite/suite-run.ts'
import type { ExecutionUpdates } from './watch/updates.ts'

/** Options of every execution. */
export interface ExecuteOptions {
  credentials?: HostCredentials | null
  /** Answer only when the execution has ended. */
  wait?: boolean | null
  /** Address to which the result is posted after the end. */
  callbackUrl?: string | null
  labels?: readonly Label[] | null
  /** Makes it safe to repeat. */
  idempotency?: IdempotencyKey | null
}

/** A suite that is stored when nothing has refused to execute it. */
export interface GeneratedSuite {
  testCases: readonly TestCase[]
  /** Names it in refusals. */
  what: string
  /** @returns its id */
  store(): Promise<string>
}

export interface ExecuteRequest extends ExecuteOptions {
  contextId: string | GeneratedSuite
  /** Artifacts that it runs over, where that is not the store. */
  over?: PlannedOver
  /** Refuses a context of the other type. */
  type?: ExecutionTypeName | null
  /** USER if absent. */
  startedBy?: StartedByName
  /** The execution that it repeats. */
  againOf?: string
  /** Written in the transaction that accepts it. */
  alongside?: Alongside
}

/** Characters of the reason of a cancel that are kept. */
const REASON_LENGTH = 1_000

/** Scenarios that did not succeed, whose logs a report shows, and the characters at the end of each. */
const REPORTED_LOGS = 200
const REPORTED_LOG_LENGTH = 16_384

/** Dependencies of accepting executions. */
export interface ExecutionDeps {
  updates: ExecutionUpdates
  planner: ExecutionPlanner
  secrets: Secrets
  pubSub: PubSub
  outbound: Pick<Outbound, 'check'>
  openCallbacks: Pick<OpenCallbacks, 'take'>
  admission: Pick<Admission, 'turn'>
}

/** Accepts executions and reads their results. */
export class ExecutionService {
  constructor(
    private readonly repository: ExecutionRepository,
    private readonly deps: ExecutionDeps,
    private readonly now: () => Date = currentTime,
  ) {}

  /** @param id of an execution, or of a test that one has reported */
  async find(id: string): Promise<Execution | null> {
    const execution = await this.repository.find(reporterOf(id))
    if (!execution || execution.id === id) return execution
    return [...reportedTests(execution)].find((test) => test.id === id) ?? null
  }

  /** An execution as a caller may read it. @throws AppError UNAUTHENTICATED or FORBIDDEN unless it was begun without a sign-in */
  async read(id: string, caller: Caller): Promise<Execution | null> {
    const execution = await this.find(id)
    if (!execution?.open) requirePermission(caller, 'executions:read')
    return execution
  }

  /** @throws AppError NOT_FOUND */
  async get(id: string): Promise<Execution> {
    return (await this.find(id)) ?? Promise.reject(notFound('execution result', id))
  }

  /** An execution that one names which was read, such as its suite. */
  async named(id: string): Promise<Execution | null> {
    return (await this.repository.suite(id)) ?? null
  }

  /** @throws AppError GONE */
  async log(execution: Execution): Promise<string> {
    const { id } = keepsDetails(execution)
    return isReported(execution) ? '' : this.repository.log(id)
  }

  /** The scenarios of a suite that have begun, in its order; none for a scenario. */
  async members({ id, suite }: Execution): Promise<Execution[]> {
    return suite ? this.repository.members(id, 'WHOLE') : []
  }

  /**
   * Results inside of a result: of the scenarios of a suite, or of tests that tools reported.
   * @param form BRIEF leaves out what only details show
   */
  nested(execution: Execution, form: 'WHOLE' | 'BRIEF'): Execution[] | Promise<Execution[]> {
    return execution.suite
      ? this.repository.members(execution.id, form)
      : [...reportedTests(execution)]
  }

  /** An execution with all that a report shows of it. @throws AppError GONE */
  async reported(execution: Execution): Promise<ReportedResult> {
    const members = await this.members(keepsDetails(execution))
    const scenarios = execution.suite ? members : [execution]
    const told = scenarios.filter(({ state, tries }) => state !== 'COMPLETED' || tries.length > 0)
    const ids = told.slice(0, REPORTED_LOGS).map(({ id }) => reporterOf(id))
    const logs = await this.repository.logEnds(ids, REPORTED_LOG_LENGTH)
    const withLog = (each: Execution) => ({
      ...each,
      systemOut: logs.get(each.id) ?? '',
      files: attachmentPaths(each),
    })
    return {
      ...withLog(execution),
      testCaseResults: members.map(withLog),
      skipped: execution.suite ? skippedScenarios(execution.suite) : [],
    }
  }

  async progress(execution: Execution): Promise<ExecutionProgress> {
    const { state, suite } = execution
    return {
      queuePosition: isFinal(state) ? null : await this.repository.queuePlace(execution),
      scenarios: suite ? suite.scenarios : 1,
      scenariosEnded: suite ? endedScenarios(suite) : Number(isFinal(state)),
    }
  }

  /**
   * The execution that the same request has started before; null for the first one.
   * @throws AppError FORBIDDEN (no right to run); IDEMPOTENCY_MISMATCH (its key came with another request)
   */
  async repeated({ idempotency, wait }: ExecuteOptions, caller: Caller): Promise<Execution | null> {
    requireRunRight(caller)
    const id = idempotency ? await this.repository.startedUnder(idempotency) : null
    if (id === null) return null
    return (wait ? await this.deps.updates.ended(id) : null) ?? this.get(id)
  }

  /**
   * @throws AppError BAD_USER_INPUT (callbackUrl, credentials), NOT_FOUND (no such scenario or suite), UNAUTHENTICATED
   *   (a stranger, for a closed or unknown one), FORBIDDEN (no right to run, credentials needed, command steps
   *   off), CONFLICT (the suite is empty), IDEMPOTENCY_MISMATCH, OVERLOADED
   */
  async execute(request: ExecuteRequest, caller: Caller): Promise<Execution> {
    const earlier = await this.repeated(request, caller)
    if (earlier) return earlier
    const turn = await this.deps.admission.turn()
    try {
      return await this.#execute(request, caller, turn)
    } finally {
      turn.end()
    }
  }

  async #execute(request: ExecuteRequest, caller: Caller, turn: Turn): Promise<Execution> {
    const {
      contextId,
      type,
      credentials,
      wait,
      callbackUrl,
      idempotency = null,
      alongside,
    } = request
    const callback = this.#callback(callbackUrl, caller)
    checkCredentials(credentials)
    const labels = readLabels(request.labels ?? [])
    const planner = this.deps.planner.over(request.over ?? {})
    const hasCredentials = Boolean(credentials)
    const plan = (id: string) => planner.plan(id, type, hasCredentials, caller)
    const target = typeof contextId === 'string' ? await plan(contextId) : contextId
    if ('store' in target)
      await planner.members(target.testCases.map(runAlone), target.what, hasCredentials, caller)
    if (callback && isStranger(caller)) await this.deps.openCallbacks.take(caller)
    const { context, members } = 'store' in target ? await plan(await target.store()) : target
    const { user, requestId } = caller
    const execution = newExecution(context, members, {
      started: this.now(),
      // A name that nothing has verified could be that of a user who signs in.
      executedBy: user ?? ((!isStranger(caller) && credentials?.userId) || 'anonymous'),
      open: user === null,
      callback,
      requestId,
      labels,
      startedBy: request.startedBy ?? 'USER',
      againOf: request.againOf ?? null,
    })
    const sealed = sealedCredentials(credentials, this.deps.secrets)
    // The turn ends when it is accepted: a caller that waits for the end delays no other one.
    const accept = () =>
      this.repository
        .accept(execution, members, { credentials: sealed, key: idempotency, alongside })
        .finally(turn.end)
    if (wait) return (await this.deps.updates.ended(execution.id, accept)) ?? this.get(execution.id)
    const id = await accept()
    // As it was accepted: a short one may have ended since.
    return id === execution.id ? execution : this.get(id)
  }

  /**
   * Ends an execution before its time; a suite with all its scenarios.
   * @param reason of the one who asks, in his words
   * @throws AppError NOT_FOUND; CONFLICT when it has ended
   */
  async cancel(
    id: string,
    reason: string | null | undefined,
    { user }: Caller,
  ): Promise<Execution> {
    const execution = await this.get(id)
    const by = `Cancelled by ${user ?? 'anonymous'}`
    const message = reason ? `${by}: ${sanitizeText(reason.slice(0, REASON_LENGTH))}` : by
    const changed = isReported(execution)
      ? []
      : await this.repository.cancel(execution, message, this.now())
    if (changed.length === 0) throw new AppError('CONFLICT', `The execution ${id} has ended`)
    for (const each of changed) {
      void this.deps.pubSub.publish(EXECUTION_CANCELLED, each)
      void this.deps.pubSub.publish(EXECUTION_OVER, each)
    }
    return this.get(id)
  }

  /** @throws AppError BAD_USER_INPUT */
  #callback(url: ExecuteRequest['callbackUrl'], caller: Caller): CallbackTarget | null {
    if (url == null) return null
    const { outbound, secrets } = this.deps
    const isPublicOnly = isStranger(caller)
    try {
      return targetOf(outbound.check(url, isPublicOnly), isPublicOnly, secrets)
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      throw badInput(`callbackUrl: ${error.message}`, { cause: error })
    }
  }
}

/** As build servers find files of a test: the path stands for where a client has downloaded them to. */
const attachmentPaths = ({ tries, steps }: Execution): string[] =>
  [...tries.flatMap((tried) => tried.steps), ...steps]
    .flatMap(({ attachments = [] }) => attachments)
    .map(({ id, name }) => `attachments/${id}/${attachmentFileName(name)}`)

/** @throws AppError GONE when the details were deleted because of their age */
export function keepsDetails(execution: Execution): Execution {
  if (!execution.detailsPruned) return execution
  const message = `The details of the execution ${execution.id} were deleted because of their age; its simple result stays`
  throw new AppError('GONE', message)
}
