import { jest } from '@jest/globals'
import type { TypedDocumentNode } from '@urql/core'
import { parse } from 'graphql'
import { createWatch, type Surroundings } from '../../../web/src/graph/watch.ts'

type Sink = Parameters<Surroundings['subscribe']>[1]

const WAIT_MS = 100
const opened: { after: unknown; sink: Sink; isEnded: boolean }[] = []
const troubles: string[] = []
let retry = () => {}
let signIns = 0

const watch = createWatch({
  subscribe({ variables: { after } }, sink) {
    const subscription = { after, sink, isEnded: false }
    opened.push(subscription)
    return () => {
      subscription.isEnded = true
    }
  },
  waitMs: (tries) => WAIT_MS * 2 ** tries,
  requireSignIn: () => signIns++,
  report(trouble) {
    troubles.push(trouble.message)
    retry = trouble.retry
    return () => {
      if (troubles.includes(trouble.message)) troubles.splice(troubles.indexOf(trouble.message), 1)
    }
  },
})

const DOCUMENT = parse(
  'subscription S($after: String) { changed(after: $after) }',
) as TypedDocumentNode<{ cursor: string }, { after?: string | null }> // as the generated ones

let places: string[]
let log: string[]
let end = () => {}
beforeEach(() => {
  jest.useFakeTimers()
  opened.length = 0
  troubles.length = 0
  signIns = 0
  places = ['here', 'there']
  log = []
  end = watch(
    DOCUMENT,
    {},
    {
      place: async () => places.shift() ?? '',
      onPlaced: () => log.push(`read with ${opened.length} open`),
      onData: ({ cursor }) => {
        log.push(cursor)
        return cursor
      },
      onGivenUp: () => log.push('given up'),
    },
  )
})
afterEach(() => {
  end()
  jest.useRealTimers()
})

const pass = (ms = 0) => jest.advanceTimersByTimeAsync(ms)
const last = () => opened.at(-1) as (typeof opened)[number] // there is one
const failWith = (code: string, retryAfterSeconds?: number) =>
  last().sink.error([{ message: code, extensions: { code, retryAfterSeconds } }])

test('the place is known before anything is read, and the stream begins there', async () => {
  await pass()
  expect(log).toEqual(['read with 0 open'])
  expect(opened.map(({ after }) => after)).toEqual(['here'])
})

test('what passes by itself is tried again behind the last cursor, later each time, and then shown', async () => {
  await pass()
  last().sink.next({ data: { cursor: 'a' } })
  for (const [failures, code] of [
    'OVERLOADED',
    'INTERNAL_SERVER_ERROR',
    'SLOW_CONSUMER',
  ].entries()) {
    expect(troubles).toEqual([])
    failWith(code)
    await pass(WAIT_MS * 2 ** failures - 1)
    expect(opened.length).toBe(failures + 1)
    await pass(1)
    expect(opened.length).toBe(failures + 2)
    expect(last().after).toBe('a')
  }
  expect(troubles).toEqual(['SLOW_CONSUMER'])
  last().sink.next({ data: { cursor: 'b' } })
  expect(troubles).toEqual([])
  failWith('RATE_LIMITED', 7)
  await pass(6_999)
  expect(opened.length).toBe(4)
  await pass(1)
  expect(opened.map(({ isEnded }) => isEnded)).toEqual([true, true, true, true, false])
  expect(log).toEqual(['read with 0 open', 'a', 'b'])
})

test('a stream that ends, or whose connection the server closes, is opened again', async () => {
  await pass()
  last().sink.complete()
  await pass(WAIT_MS)
  last().sink.error(new Event('close'))
  await pass(2 * WAIT_MS)
  expect(opened.length).toBe(3)
})

test('what a subscription of before still reports has no effect', async () => {
  await pass()
  const [first] = opened
  failWith('OVERLOADED')
  await pass(WAIT_MS)
  first?.sink.next({ data: { cursor: 'late' } })
  first?.sink.complete()
  await pass(60_000)
  expect(log).toEqual(['read with 0 open'])
  expect(opened.length).toBe(2)
})

test('a place that is lost is found anew, and everything is read again', async () => {
  await pass()
  failWith('CURSOR_EXPIRED')
  await pass()
  expect(log).toEqual(['read with 0 open', 'read with 1 open'])
  expect(last().after).toBe('there')
})

test('what is refused is not tried again by itself, and the reader can', async () => {
  await pass()
  failWith('FORBIDDEN')
  await pass(600_000)
  expect(opened.length).toBe(1)
  expect(troubles).toEqual(['FORBIDDEN'])
  expect(log.at(-1)).toBe('given up')
  retry()
  await pass()
  expect(opened.length).toBe(2)
  expect(troubles).toEqual([])
})

test('a sign-in that is over leads to the sign-in', async () => {
  await pass()
  failWith('UNAUTHENTICATED')
  await pass(600_000)
  expect({ signIns, opened: opened.length, troubles }).toEqual({
    signIns: 1,
    opened: 1,
    troubles: [],
  })
})

test('after its end nothing is opened', async () => {
  await pass()
  failWith('OVERLOADED')
  end()
  await pass(600_000)
  expect(opened.length).toBe(1)
})
