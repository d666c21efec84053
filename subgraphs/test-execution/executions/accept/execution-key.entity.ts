import { defineEntity, p } from '@mikro-orm/core'

/** The execution that a request with an idempotency key has started, kept for its repetitions. */
export const ExecutionKeyEntity = defineEntity({
  name: 'ExecutionKey',
  tableName: 'execution_key',
  properties: {
    /** The signed-in user, or an empty text. */
    account: p.text().primary(),
    key: p.text().primary(),
    /** Says whether a repetition is the same request. */
    digest: p.text(),
    executionId: p.uuid(),
    takenAt: p.datetime(3),
  },
  primaryKeys: ['account', 'key'],
  indexes: [{ name: 'execution_key_taken_at_index', properties: ['takenAt'] }],
})
