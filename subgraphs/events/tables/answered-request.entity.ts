import { defineEntity, p } from '@mikro-orm/postgresql'
import type { IngestionAnswer } from '../ingestion/group-commit.ts'

/** The answer to an ingestion that carried an idempotency key, kept for its repetitions. */
export const AnsweredRequestEntity = defineEntity({
  name: 'AnsweredRequestEntity',
  tableName: 'answered_request',
  properties: {
    /** The signed-in user, or an empty text. */
    account: p.text().primary(),
    key: p.text().primary(),
    /** Tells whether a repetition carries the same items. */
    digest: p.text(),
    result: p.json<IngestionAnswer>(),
    answeredAt: p.datetime(6),
  },
  primaryKeys: ['account', 'key'],
  indexes: [{ name: 'answered_request_answered_at_index', properties: ['answeredAt'] }],
})
