import type { ExecutionEnded } from '../../../platform/jobs/execution-ended.ts'
import type { OwnEvent } from '../../../platform/jobs/own-event.ts'
import type { Batch } from './group-commit.ts'
import { validate } from './validate.ts'

/** Final state → severity and status (conformance: EV-84). */
const VERDICTS = {
  COMPLETED: { severity: 'INFO', status: 'OK' },
  FAILED: { severity: 'ERROR', status: 'OPEN' },
  ERROR: { severity: 'CRITICAL', status: 'OPEN' },
} as const

/** Characters of a message in the event; the result keeps all. However they are escaped, the event stays small enough. */
const MAX_MESSAGE = 4_000

/** The account under which no one can sign in, so that no client can use up an execution's key. */
const INTERNAL_ACCOUNT = '\u0001executions'

/**
 * The occurrence that the end of an execution is: one event per scenario or suite, so that the next success turns a
 * failure to OK. A job that is delivered twice counts once.
 */
export function executionBatch(ended: ExecutionEnded, receivedAt: Date): Batch {
  const { executionId, contextId, contextType, title, message, state } = ended
  const verdict = validate(
    {
      title: title.trim() || contextId,
      message: shortened(message),
      ...VERDICTS[state],
      eventClass: 'execution',
      source: { ref: contextId, type: contextType, name: title },
      fingerprintFields: ['contextId'],
      properties: { contextId, executionId, state },
      createdAt: ended.ended,
    },
    receivedAt,
  )
  if ('error' in verdict) throw new Error(`An execution cannot become an event: ${verdict.error}`)
  const cause = { executionId, contextId, contextType }
  return {
    items: [{ index: 0, occurrence: { ...verdict.occurrence, cause } }],
    errors: [],
    idempotency: { account: INTERNAL_ACCOUNT, key: executionId, digest: '' },
  }
}

/** The occurrence that a part of the product raises or closes. */
export function ownBatch({ key, message, ...event }: OwnEvent, receivedAt: Date): Batch {
  const given = {
    ...event,
    message: shortened(message),
    fingerprintFields: Object.keys(event.properties),
  }
  const verdict = validate(given, receivedAt)
  if ('error' in verdict) throw new Error(`This cannot become an event: ${verdict.error}`)
  return {
    items: [{ index: 0, occurrence: verdict.occurrence }],
    errors: [],
    idempotency: { account: INTERNAL_ACCOUNT, key, digest: '' },
  }
}

const shortened = (message: string): string =>
  message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE).toWellFormed()}…` : message
