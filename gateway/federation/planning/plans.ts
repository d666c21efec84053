import { createHash } from 'node:crypto'
import type { QueryPlan } from '@apollo/query-planner'
import { type DocumentNode, print } from 'graphql'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../../schema/errors.ts'
import { Budget } from '../../../subgraphs/shared/task-processes/budget.ts'
import type { ThrownInProcess } from '../../../subgraphs/shared/task-processes/serve-tasks.ts'
import {
  type Excess,
  TaskProcesses,
} from '../../../subgraphs/shared/task-processes/task-processes.ts'
import { measure } from '../operation/measures.ts'
import type { Planner, PlannerOptions } from './planner.ts'
import type { PlanningData } from './planning-process.ts'

/** Plans valid operations without keeping others waiting. */
export interface Plans {
  /** @throws AppError OPERATION_LIMIT_EXCEEDED, OVERLOADED */
  plan(document: DocumentNode, operationName?: string | null): Promise<QueryPlan['node']>
  stop(): Promise<void>
}

export interface PlansOptions extends PlannerOptions {
  /** OPERATION_PLAN_MS: processor time that one operation may take. */
  planMs?: number
  /** Operations with at most so many fields are planned on the spot: in a graph where that takes a few milliseconds. */
  maxFieldsOnTheSpot?: number
}

const PLAN_MS = 2_000
/** The process holds a copy of the supergraph; large ones take a tenth of this. */
const HEAP_MEBIBYTES = 400
/** Operations that wait to be planned. */
const MAX_WAITING = 100
/** An operation that takes too long is refused at once when it comes again. */
const REFUSED = { max: 1_000, ttl: 60_000 }

/** @param planner plans on the spot what is small enough for that */
export function createPlans(
  supergraphSdl: string,
  planner: Planner,
  { planMs = PLAN_MS, maxFieldsOnTheSpot = 0, ...options }: PlansOptions,
): Plans {
  const data: PlanningData = { supergraphSdl, options: { ...options, validate: false } }
  const processes = new TaskProcesses({
    file: new URL('./planning-process.ts', import.meta.url),
    data,
    max: 1,
    heapMebibytes: HEAP_MEBIBYTES,
    maxWaiting: MAX_WAITING,
    idleMs: null,
    revive,
    refuse,
  })
  const refused = new LRUCache<string, AppError>(REFUSED)
  if (maxFieldsOnTheSpot === 0) processes.prepare()
  return {
    async plan(document, operationName = null) {
      if (measure(document).fields <= maxFieldsOnTheSpot)
        return planner.plan(document, operationName)
      const text = print(document)
      const key = createHash('sha256').update(`${operationName}\0${text}`).digest('base64')
      const known = refused.get(key)
      if (known) throw known
      try {
        const budget = new Budget('OPERATION_PLAN_MS', planMs)
        return await processes.run('plan', { text, operationName }, budget)
      } catch (error) {
        const isLimit = error instanceof AppError && error.code === 'OPERATION_LIMIT_EXCEEDED'
        if (isLimit && !(error instanceof TakesTooMuchMemory)) refused.set(key, error)
        throw error
      }
    },
    stop: () => processes.stop(),
  }
}

/** May succeed when it comes again: the machine may have been short of memory. */
class TakesTooMuchMemory extends AppError {}

const ADVICE = 'Ask for fewer fields and levels at a time'

function refuse(excess: Excess, { setting, ms }: Budget): AppError {
  if (excess === 'waiting')
    return new AppError(
      'OVERLOADED',
      `${MAX_WAITING} new operations wait to be planned already: try again later`,
    )
  if (excess === 'time')
    return new AppError(
      'OPERATION_LIMIT_EXCEEDED',
      `The operation takes longer to plan than ${ms} ms, which ${setting} allows. ${ADVICE}, or have the operator raise the limit.`,
    )
  return new TakesTooMuchMemory(
    'OPERATION_LIMIT_EXCEEDED',
    `The operation takes more memory to plan than ${HEAP_MEBIBYTES} MiB. ${ADVICE}.`,
  )
}

const revive = ({ name, message, code }: ThrownInProcess): Error =>
  name === 'AppError'
    ? new AppError(code as AppError['code'], message) // as it was thrown there
    : new Error(message)
