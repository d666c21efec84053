import { defineEntity, p } from '@mikro-orm/core'
import type { CallbackAttempt, CallbackStateName } from './callback.ts'

/** The row of a delivery. Field names match the GraphQL type. */
export const CallbackDeliveryEntity = defineEntity({
  name: 'CallbackDelivery',
  tableName: 'callback_delivery',
  properties: {
    executionId: p.uuid().primary(),
    /** A UUIDv7, so deliveries sort by the time of their creation. */
    id: p.uuid().primary(),
    receiver: p.text(),
    sealedUrl: p.text(),
    state: p.string().$type<CallbackStateName>(),
    attempts: p.json<CallbackAttempt[]>(),
    /** Length of `attempts`: a writer that has seen another length writes nothing. */
    attemptCount: p.integer(),
    earlierAttempts: p.integer(),
    created: p.datetime(3),
    nextAttemptAt: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'callback_delivery_id_index', properties: ['id'] },
    { name: 'callback_delivery_state_id_index', properties: ['state', 'id'] },
  ],
})
