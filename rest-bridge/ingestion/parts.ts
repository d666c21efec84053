import { hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { ExecutionResult } from 'graphql'
import { type AppError, isInDoubt } from '../../formats/errors.ts'
import { failureOf } from '../../formats/failure.ts'
import type { RestRequest } from '../route.ts'

/** The verdicts on the events of an operation, by position. */
export interface IngestionData {
  ingestEvents: {
    sent: number
    success: 'ALL' | 'PARTIAL' | 'NONE'
    accepted: { index: number; id: string }[]
    errors: { index: number; message: string }[]
    replayed: boolean
  }
}

export type IngestionOutcome = Pick<ExecutionResult<IngestionData>, 'data' | 'errors'>

type Result = IngestionData['ingestEvents']

/** Events of a call that a part has. */
export interface Range {
  /** Index of the part. */
  index: number
  /** Index of its first event. */
  from: number
  count: number
  /** Nothing of the call was accepted before. */
  isFirst: boolean
  /** The call has no other part. */
  isWhole: boolean
}

/**
 * Stores the events of a large call part by part, so that none holds up other callers, and one after the other, as the
 * last of equal events counts. Until something is accepted, a failure fails the call, and nothing is stored; later, it
 * is an error of each event that is not stored.
 * @param ingest stores one part
 */
export async function inParts(
  parts: readonly (readonly unknown[])[],
  ingest: (part: readonly unknown[], range: Range) => Promise<IngestionOutcome>,
): Promise<IngestionOutcome> {
  const [only = []] = parts
  const isWhole = parts.length < 2
  if (isWhole)
    return ingest(only, { index: 0, from: 0, count: only.length, isFirst: true, isWhole })
  const results: Result[] = []
  let isFirst = true
  let from = 0
  let failure: AppError | undefined
  for (const [index, part] of parts.entries()) {
    const range = { index, from, count: part.length, isFirst, isWhole }
    if (isFirst) {
      const outcome = await ingest(part, range)
      if (!outcome.data?.ingestEvents) return outcome
      results.push(outcome.data.ingestEvents)
      isFirst = outcome.data.ingestEvents.accepted.length === 0
    } else if (failure) results.push(refused(part.length, notStored(failure)))
    else {
      const stored = await ingest(part, range).then(resultOf, failureOf)
      if (!('accepted' in stored)) failure = stored
      results.push('accepted' in stored ? stored : refused(part.length, refusalOf(stored)))
    }
    from += part.length
    // Refused events wait for no database, so nothing else would let others in between.
    await turn()
  }
  return { data: { ingestEvents: together(parts, results) } }
}

const resultOf = ({ data, errors }: IngestionOutcome): Result | AppError =>
  data?.ingestEvents ?? failureOf(errors?.[0])

/** The failures of a part that may have been stored all the same. */
const mayBeStored = (failure: AppError): boolean =>
  isInDoubt(failure) || failure.code === 'INTERNAL_SERVER_ERROR'

const refusalOf = (failure: AppError): string =>
  mayBeStored(failure) ? UNKNOWN : notStored(failure)

const UNKNOWN =
  'It is unknown whether this event was stored. Send the call again: with the Idempotency-Key that it had, nothing is counted twice'

const notStored = ({ message }: AppError): string =>
  `The event was not stored, send it again: ${message}`

const refused = (count: number, message: string): Result => ({
  sent: 0,
  success: 'NONE',
  accepted: [],
  errors: Array.from({ length: count }, (_, index) => ({ index, message })),
  replayed: false,
})

function together(parts: readonly (readonly unknown[])[], results: readonly Result[]): Result {
  const whole: Result = { sent: 0, success: 'ALL', accepted: [], errors: [], replayed: true }
  let from = 0
  results.forEach(({ accepted, errors, replayed }, part) => {
    for (const { index, id } of accepted) whole.accepted.push({ index: from + index, id })
    for (const { index, message } of errors) whole.errors.push({ index: from + index, message })
    // A part without anything to store has no answer that could be given again.
    if (accepted.length > 0 && !replayed) whole.replayed = false
    from += parts[part]?.length ?? 0
  })
  whole.sent = whole.accepted.length
  if (whole.sent === 0) return { ...whole, success: 'NONE', replayed: false }
  return { ...whole, success: whole.errors.length > 0 ? 'PARTIAL' : 'ALL' }
}

/**
 * The idempotency key of a part. The first that stores anything has the key of the call, which finds out whether that
 * came with another request.
 */
export const keyOfPart = (key: string, { index, isFirst }: Range): string =>
  isFirst ? key : `part ${index} of ${hash('sha256', key, 'base64url')}`

/** The request that brings this part alone. */
export function requestOfPart(
  request: RestRequest,
  part: readonly unknown[],
  range: Range,
): RestRequest {
  const { 'idempotency-key': key } = request.headers
  if (key === undefined || request.bodyDigest === undefined) return { ...request, body: part }
  return {
    ...request,
    body: part,
    headers: { ...request.headers, 'idempotency-key': keyOfPart(key, range) },
    bodyDigest: digestOfPart(request.bodyDigest, range),
  }
}

/**
 * The digest of a part, with its range behind a blank (`isOfOneCall`): an answer is never replayed to a part with other
 * events of the same call.
 */
export const digestOfPart = (digest: string, { from, count, isWhole }: Range): string =>
  isWhole ? digest : `${digest} ${from}+${count}`
