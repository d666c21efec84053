import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 as uuidv7 } from 'uuid'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { CALLBACK, type CallbackJob } from './callback.queue.ts'
import type { CallbackDelivery, CallbackTarget } from './callback.ts'
import { CallbackDeliveryEntity } from './callback-delivery.entity.ts'

/** Promises a callback inside the transaction of `em` that ends the execution: one without the other cannot be. */
export async function promiseCallback(
  em: EntityManager,
  jobs: Jobs,
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
  await em.insert(CallbackDeliveryEntity, { ...delivery, attemptCount: 0 })
  await enqueueAttempt(em, jobs, delivery)
}

/** Enqueues the attempt that is due, in the transaction that decides it. Jobs for one receiver form a group. */
export const enqueueAttempt = (
  em: EntityManager,
  jobs: Jobs,
  { executionId, id, receiver, attempts, nextAttemptAt }: CallbackDelivery,
): Promise<void> =>
  jobs.enqueue(
    em,
    CALLBACK.name,
    { executionId, deliveryId: id, attempt: attempts.length + 1 } satisfies CallbackJob,
    { group: receiver, ...(nextAttemptAt && { startAfter: nextAttemptAt }) },
  )
