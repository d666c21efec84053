import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 as uuidv7 } from 'uuid'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { CALLBACK, type CallbackJob } from './callback.queue.ts'
import type { CallbackDelivery, CallbackTarget } from './callback.ts'
import { CallbackDeliveryEntity } from './callback-delivery.entity.ts'

/** A transaction, and the queues that jobs enter within it. */
export interface JobTransaction {
  em: EntityManager
  jobs: Jobs
}

/** Promises a callback inside the transaction that ends the execution: one without the other cannot be. */
export async function promiseCallback(
  transaction: JobTransaction,
  executionId: string,
  { receiver, sealedUrl }: CallbackTarget,
  now: Date,
): Promise<void> {
  const delivery: CallbackDelivery = {
    id: uuidv7(),
    executionId,
    receiver,
    sealedUrl,
    state: 'PENDING',
    attempts: [],
    earlierAttempts: 0,
    created: now,
    nextAttemptAt: now,
  }
  await transaction.em.insert(CallbackDeliveryEntity, { ...delivery, attemptCount: 0 })
  await enqueueAttempt(transaction, delivery)
}

/** Enqueues the attempt that is due, in the transaction that decides it. Jobs for one receiver form a group. */
export const enqueueAttempt = (
  { em, jobs }: JobTransaction,
  { executionId, id, receiver, attempts, nextAttemptAt }: CallbackDelivery,
): Promise<void> =>
  jobs.enqueue(
    em,
    CALLBACK.name,
    { executionId, deliveryId: id, attempt: attempts.length + 1 } satisfies CallbackJob,
    { group: receiver, ...(nextAttemptAt && { startAfter: nextAttemptAt }) },
  )
