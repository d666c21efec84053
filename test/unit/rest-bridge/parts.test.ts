import { setTimeout as delay } from 'node:timers/promises'
import { GraphQLError } from 'graphql'
import { AppError } from '../../../formats/errors.ts'
import {
  digestOfPart,
  type IngestionOutcome,
  inParts,
  keyOfPart,
} from '../../../rest-bridge/ingestion/parts.ts'

const PARTS = [['a', 'b'], ['c'], ['d', 'e']]

const allStored = (part: readonly unknown[]): IngestionOutcome => ({
  data: {
    ingestEvents: {
      sent: part.length,
      success: 'ALL',
      accepted: part.map((id, index) => ({ index, id: String(id) })),
      errors: [],
      replayed: false,
    },
  },
})

test('parts are stored one after the other, and their indexes are those of the call', async () => {
  const stored: unknown[] = []
  const outcome = await inParts(PARTS, async (part) => {
    await delay(part.length)
    stored.push(...part)
    return allStored(part)
  })
  expect(stored).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(outcome.data?.ingestEvents).toMatchObject({
    sent: 5,
    success: 'ALL',
    accepted: ['a', 'b', 'c', 'd', 'e'].map((id, index) => ({ index, id })),
  })
})

test('a failure before anything is stored is that of the call', async () => {
  const overloaded = new AppError('OVERLOADED', 'Try again later')
  await expect(inParts(PARTS, () => Promise.reject(overloaded))).rejects.toBe(overloaded)
})

test('a failure behind what is stored is an error of each event that is not, and nothing more is sent', async () => {
  const asked: number[] = []
  const outcome = await inParts(PARTS, async (part, { index }) => {
    asked.push(index)
    if (index > 0) throw new AppError('OVERLOADED', 'Try again later')
    return allStored(part)
  })
  expect(asked).toEqual([0, 1])
  expect(outcome.data?.ingestEvents).toMatchObject({
    sent: 2,
    success: 'PARTIAL',
    accepted: [{ index: 0 }, { index: 1 }],
    errors: [2, 3, 4].map((index) => ({
      index,
      message: 'The event was not stored, send it again: Try again later',
    })),
  })
})

test.each([
  'DOWNSTREAM_SERVICE_ERROR',
  'DOWNSTREAM_ANSWER_LOST',
  'DOWNSTREAM_TIMEOUT',
  'INTERNAL_SERVER_ERROR',
])('a later part that fails with %s is in doubt, and what was not sent is not', async (code) => {
  const outcome = await inParts(PARTS, async (part, { index }) =>
    index === 0
      ? allStored(part)
      : { errors: [new GraphQLError('The answer was lost', { extensions: { code } })] },
  )
  expect(outcome.data?.ingestEvents.errors).toEqual([
    { index: 2, message: expect.stringMatching(/^It is unknown whether .* Idempotency-Key/) },
    { index: 3, message: expect.stringMatching(/^The event was not stored, send it again/) },
    { index: 4, message: expect.stringMatching(/^The event was not stored, send it again/) },
  ])
})

const RANGE = { index: 1, from: 2, count: 1, isFirst: false, isWhole: false }

test('the first part that stores anything has the key of the call', () => {
  expect(keyOfPart('build-42', { ...RANGE, isFirst: true })).toBe('build-42')
  expect(keyOfPart('build-42', RANGE)).toMatch(/^part 1 of /)
})

test('the digest of a part says which events it has, and that of a whole call is the call’s', async () => {
  const digests: string[] = []
  await inParts(PARTS, async (part, range) => {
    digests.push(digestOfPart('digest', range))
    return allStored(part)
  })
  expect(digests).toEqual(['digest 0+2', 'digest 2+1', 'digest 3+2'])
  expect(digestOfPart('digest', { ...RANGE, isWhole: true })).toBe('digest')
})
