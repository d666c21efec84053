import { defineEntity, p } from '@mikro-orm/core'
import type { Owner } from '../unattended/owner.ts'

/** Progress of a trigger. Its artifact says what it is to do. */
export const TriggerStateEntity = defineEntity({
  name: 'TriggerState',
  tableName: 'trigger_state',
  properties: {
    triggerId: p.string().primary(),
    owner: p.json<Owner>(),
    lastRunAt: p.datetime(3).nullable(),
    lastResultId: p.uuid().nullable(),
    /** Why the last change or request started nothing; null where it did. An event is open meanwhile. */
    failure: p.text().nullable(),
  },
})

/** Changes and requests of the last days that a trigger has judged: none starts twice. */
export const TriggerStartEntity = defineEntity({
  name: 'TriggerStart',
  tableName: 'trigger_start',
  properties: {
    triggerId: p.string().primary(),
    key: p.text().primary(),
    at: p.datetime(3),
    /** Null where it was refused. */
    resultId: p.uuid().nullable(),
    /** Triggers that led to it, one by the end of the execution of the other; this one is the last. */
    chain: p.json<readonly string[]>(),
  },
  indexes: [
    { name: 'trigger_start_at_index', properties: ['triggerId', 'at'] },
    { name: 'trigger_start_result_id_index', properties: ['resultId'] },
  ],
})
