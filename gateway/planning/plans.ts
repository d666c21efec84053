import { createHash } from 'node:crypto'
import type { QueryPlan } from '@apollo/query-planner'
import { print } from 'graphql'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../formats/errors.ts'
import { LOAD_LIMITS } from '../../platform/load/limits.ts'
import type { ThrownInProcess } from '../../platform/task-processes/serve-tasks.ts'
import {
  type Excess,
  TaskProcesses,
  TimeBudget,
} from '../../platform/task-processes/task-processes.ts'
import { measure, type Planner, type Plans } from '../federation/index.ts'
import { LimitExceeded } from '../operations/operation-limits.ts'
import type { PlanningData, PlanningInput } from './planning-process.ts'

export interface PlansOptions {
  /** OPERATION_PLAN_MS: processor time that one operation may take. */
  planMs?: number
  /** OPERATION_MAX_PATHS: ways to reach one field. */
  maxPaths?: number
  /** Operations up to this number of fields are planned in this thread, which takes a few milliseconds. */
  maxFieldsOnTheSpot?: number
  /** True if the supergraph is not ours: the defects of the planner that show in it are corrected. */
  isForeign?: boolean
}

const PLAN_MS = 2_000
/** The process holds a copy of the supergraph; large ones take a tenth of this. */
const HEAP_MEBIBYTES = 400
const { most: MAX_WAITING, mostOfOne: MAX_WAITING_OF_ONE } = LOAD_LIMITS.planned
/** An operation that takes too long is refused at once when it comes again. */
const REFUSED = { max: 1_000, ttl: 60_000 }

/**
 * Plans valid operations without keeping others waiting: in a process of its own.
 * @param planner plans small operations in this thread
 */
export function createPlans(
  supergraphSdl: string,
  planner: Planner,
  { planMs = PLAN_MS, maxPaths, maxFieldsOnTheSpot = 0, isForeign = false }: PlansOptions,
): Plans {
  const data: PlanningData = { supergraphSdl, maxPaths, isForeign }
  const processes = new TaskProcesses({
    file: new URL('./planning-process.ts', import.meta.url),
    data,
    max: 1,
    heapMebibytes: HEAP_MEBIBYTES,
    maxWaiting: MAX_WAITING,
    maxWaitingOfOne: MAX_WAITING_OF_ONE,
    idleMs: null,
    revive,
    refuse,
  })
  const refused = new LRUCache<string, AppError>(REFUSED)
  if (maxFieldsOnTheSpot === 0) processes.prepare()
  return {
    async plan(document, operationName = null, overrides = [], owner) {
      if (measure(document).fields <= maxFieldsOnTheSpot)
        return planner.plan(document, operationName, overrides)
      const input: PlanningInput = { text: print(document), operationName, overrides }
      const key = createHash('sha256')
        .update(`${operationName}\0${overrides}\0${input.text}`)
        .digest('base64')
      const known = refused.get(key)
      if (known) throw known
      try {
        const budget = new TimeBudget('OPERATION_PLAN_MS', planMs)
        return await processes.run<QueryPlan['node']>('plan', input, budget, owner)
      } catch (error) {
        if (error instanceof LimitExceeded && !(error instanceof TakesTooMuchMemory))
          refused.set(key, error)
        throw error
      }
    },
    stop: () => processes.stop(),
  }
}

/** May succeed when it comes again: the machine may have been short of memory. */
class TakesTooMuchMemory extends LimitExceeded {}

const ADVICE = 'Ask for fewer fields and levels at a time'

function refuse(excess: Excess, { setting, ms }: TimeBudget): AppError {
  if (excess === 'waiting')
    return new AppError(
      'OVERLOADED',
      `${MAX_WAITING_OF_ONE} new operations of this caller, or ${MAX_WAITING} of all, wait to be planned already: try again later`,
    )
  if (excess === 'time')
    return new LimitExceeded(
      'OPERATION_PLAN_MS',
      `The operation takes longer to plan than ${ms} ms, which ${setting} allows. ${ADVICE}, or have the operator raise the limit.`,
    )
  return new TakesTooMuchMemory(
    'OPERATION_PLAN_MS',
    `The operation takes more memory to plan than ${HEAP_MEBIBYTES} MiB. ${ADVICE}.`,
  )
}

/** The one limit that the process itself knows is that of paths. */
const revive = ({ message, code }: ThrownInProcess): Error =>
  code === 'OPERATION_LIMIT_EXCEEDED'
    ? new LimitExceeded('OPERATION_MAX_PATHS', message)
    : new Error(message)
