import { defineEntity, p } from '@mikro-orm/core'

export type VerdictName = 'PRODUCT' | 'TEST' | 'ENVIRONMENT' | 'FLAKY'

/** Judgement of people on a cause; its id is that of the cause. */
export const FailureVerdictEntity = defineEntity({
  name: 'FailureVerdict',
  tableName: 'failure_verdict',
  properties: {
    id: p.string().primary(),
    verdict: p.string().$type<VerdictName>().nullable(),
    owner: p.text().nullable(),
    comment: p.text().nullable(),
    ticket: p.text().nullable(),
    setBy: p.text(),
    setAt: p.datetime(3),
  },
})
