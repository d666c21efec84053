import { hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { AppError } from '../../schema/errors.ts'
import { failureOf } from '../errors.ts'
import type { IngestionData, IngestionOutcome } from './merged-operations.ts'

type Result = IngestionData['ingestEvents']

/**
 * Stores the events of a large call part by part, so that none holds up other callers, and one after the other, as the
 * last of equal events counts. Until something is accepted, a failure fails the call, and nothing is stored; later, it
 * is an error of each event that is not stored.
 * @param ingest stores one part; `isFirst` for each up to the first that has something accepted
 */
export async function inParts(
  parts: readonly (readonly unknown[])[],
  ingest: (part: readonly unknown[], index: number, isFirst: boolean) => Promise<IngestionOutcome>,
): Promise<IngestionOutcome> {
  const [first = []] = parts
  if (parts.length < 2) return ingest(first, 0, true)
  const results: Result[] = []
  const isFirst = () => results.every(({ accepted }) => accepted.length === 0)
  while (results.length < parts.length && isFirst()) {
    const outcome = await ingest(parts[results.length] ?? [], results.length, true)
    if (!outcome.data?.ingestEvents) return outcome
    results.push(outcome.data.ingestEvents)
    // What is refused waits for no database, so nothing else would let others in between.
    await turn()
  }
  let failure: AppError | undefined
  for (const [index, part] of [...parts.entries()].slice(results.length)) {
    const stored = failure ?? (await ingest(part, index, false).then(resultOf, failureOf))
    if (!('accepted' in stored)) failure = stored
    results.push('accepted' in stored ? stored : refused(part.length, stored))
    await turn()
  }
  return { data: { ingestEvents: together(parts, results) } }
}

const resultOf = ({ data, errors }: IngestionOutcome): Result | AppError =>
  data?.ingestEvents ?? failureOf(errors?.[0])

const refused = (count: number, { message }: AppError): Result => ({
  sent: 0,
  success: 'NONE',
  accepted: [],
  errors: Array.from({ length: count }, (_, index) => ({
    index,
    message: `The event was not stored, send it again: ${message}`,
  })),
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
export const keyOfPart = (key: string, index: number, isFirst: boolean): string =>
  isFirst ? key : `part ${index} of ${hash('sha256', key, 'base64url')}`
