import { jest } from '@jest/globals'
import { PersistentWriter } from '../../../subgraphs/events/ingestion/store.ts'
import type { WriterRepository } from '../../../subgraphs/events/ingestion/writer.repository.ts'

const LOST = Object.assign(new Error('lost'), { code: 'ECONNRESET' })

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** Writes with a database that is lost, and never comes back. */
async function failureOf(isPrepared: boolean): Promise<unknown> {
  const writer = new PersistentWriter({
    write: async (_: unknown, onPrepared: (prepared: unknown) => void) => {
      if (isPrepared) onPrepared({ outcomes: [] })
      throw LOST
    },
    statusOf: () => Promise.reject(LOST),
  } as unknown as WriterRepository)
  const failed = writer.write([]).catch((error: unknown) => error)
  await jest.advanceTimersByTimeAsync(60_000)
  return failed
}

test('a database that is lost before the commit leaves nothing in doubt', async () => {
  expect(await failureOf(false)).toMatchObject({ code: 'OVERLOADED' })
})

test('a database that is lost during the commit leaves the client in doubt, and the failure says so', async () => {
  expect(await failureOf(true)).toMatchObject({
    code: 'DOWNSTREAM_SERVICE_ERROR',
    message: expect.stringMatching(/^It is unknown whether/),
  })
})
