import { badInput } from '../../../../formats/errors.ts'
import { checkPaths } from '../../triggers/labels.ts'
import { forgetTrigger, storeTrigger } from '../../triggers/trigger.repository.ts'
import { WEBHOOKS } from '../../triggers/trigger.ts'
import type { ArtifactKind } from '../artifact.kind.ts'
import { ENVIRONMENT } from '../environment/environment.kind.ts'
import { RULE } from '../rule/rule.kind.ts'
import { checkStoredQuery } from '../stored-query.ts'
import { SUITE } from '../suite/suite.kind.ts'
import { TESTCASE } from '../testcase/testcase.kind.ts'
import { checkUnattended, UNATTENDED } from '../unattended.ts'

const MASK = '***'
const MIN_SECRET = 16
/** Standard Webhooks: 24 to 64 bytes. */
const SIGNING_SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/

/** Changes of events, or signed requests, that a scenario or suite is executed for. */
export const TRIGGER: ArtifactKind = {
  name: 'trigger',
  typeName: 'Trigger',
  idSpace: 'trigger',
  references: { target: [SUITE, TESTCASE], environment: ENVIRONMENT },
  isForwarded: true,
  hidden: { secret: () => MASK },
  properties: {
    query: { type: 'string', maxLength: 4_000 },
    on: { ...RULE.properties.on, default: ['OPENED', 'REOPENED', 'RAISED'] },
    webhook: { type: 'string', enum: WEBHOOKS },
    secret: { type: 'string', maxLength: 255 },
    perHour: { type: 'integer', minimum: 1, maximum: 1_000, default: 10 },
    ...UNATTENDED,
  },
  required: ['target'],
  shown: ['storedBy', 'lastRunAt', 'lastResultId', 'failure'],
  async check(fields, { evaluation }) {
    const { query, webhook, secret } = fields
    if ((query === undefined) === (webhook === undefined))
      throw badInput('query: expected either a query over events or a webhook')
    if (query !== undefined) checkStoredQuery(query)
    if (query !== undefined && secret !== undefined)
      throw badInput('secret: a trigger with a query has none')
    if (webhook !== undefined) checkSecret(webhook, secret)
    await checkPaths(checkUnattended('trigger', fields), evaluation)
  },
  stored: storeTrigger,
  removed: forgetTrigger,
}

/** @throws AppError BAD_USER_INPUT */
function checkSecret(webhook: unknown, secret: unknown): void {
  if (secret === undefined) throw badInput('secret: it is missing, and the webhook is proven by it')
  const text = String(secret)
  if (text === MASK) return
  if (text.length < MIN_SECRET) throw badInput(`secret: expected at least ${MIN_SECRET} characters`)
  if (webhook === 'standard' && !SIGNING_SECRET.test(text))
    throw badInput('secret: expected whsec_ and 24 to 64 bytes in Base64')
}
