import { createHash } from 'node:crypto'
import type { QueryPlan } from '@apollo/query-planner'
import { type DocumentNode, print } from 'graphql'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../../schema/errors.ts'
import { Budget } from '../../../subgraphs/shared/threads/budget.ts'
import type { ThrownInThread } from '../../../subgraphs/shared/threads/serve-tasks.ts'
import { type Excess, Threads } from '../../../subgraphs/shared/threads/threads.ts'
import { measure } from '../../operations/measure.ts'
import type { Planner, PlannerOptions } from './planner.ts'
import type { PlanningData } from './planning-thread.ts'

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
/** The thread holds a copy of the supergraph; large ones take a tenth of this. */
const HEAP_MEBIBYTES = 400
/** Operations that wait to be planned. */
const MAX_WAITING = 100
/** An operation that takes too much is refused at once when it comes again. */
const REFUSED = { max: 1_000, ttl: 60_000 }

/** @param planner plans on the spot what is small enough for that */
export function createPlans(
  supergraphSdl: string,
  planner: Planner,
  { planMs = PLAN_MS, maxFieldsOnTheSpot = 0, ...options }: PlansOptions,
): Plans {
  const data: PlanningData = { supergraphSdl, options: { ...options, validate: false } }
  const thread = new Threads({
    file: new URL('./planning-thread.ts', import.meta.url),
    data,
    max: 1,
    heapMebibytes: HEAP_MEBIBYTES,
    maxWaiting: MAX_WAITING,
    idleMs: null,
    revive,
    refuse,
  })
  const refused = new LRUCache<string, AppError>(REFUSED)
  if (maxFieldsOnTheSpot === 0) thread.prepare()
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
        return await thread.run('plan', { text, operationName }, budget)
      } catch (error) {
        if (error instanceof AppError && error.code === 'OPERATION_LIMIT_EXCEEDED')
          refused.set(key, error)
        throw error
      }
    },
    stop: () => thread.stop(),
  }
}

function refuse(excess: Excess, { setting, ms }: Budget): AppError {
  if (excess === 'waiting')
    return new AppError(
      'OVERLOADED',
      `${MAX_WAITING} new operations wait to be planned already: try again later`,
    )
  const what = {
    time: `takes longer to plan than ${ms} ms, which ${setting} allows`,
    memory: `takes more memory to plan than ${HEAP_MEBIBYTES} MiB`,
  }
  return new AppError(
    'OPERATION_LIMIT_EXCEEDED',
    `The operation ${what[excess]}. Ask for fewer fields and levels at a time, or have the operator raise the limit.`,
  )
}

const revive = ({ name, message, code }: ThrownInThread): Error =>
  name === 'AppError'
    ? new AppError(code as AppError['code'], message) // as it was thrown there
    : new Error(message)
