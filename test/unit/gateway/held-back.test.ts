import { EventEmitter } from 'node:events'
import { jest } from '@jest/globals'
import { refusals } from '../../../gateway/http/held-back.ts'

class Response extends EventEmitter {
  closed = false
}

const staying = { onceClientEnded: () => () => {} }

beforeEach(() => void jest.useFakeTimers({ now: 0 }))
afterEach(() => void jest.useRealTimers())

test('of a flood of refusals all but two hundred a second wait for five seconds', () => {
  const refuse = refusals(10_000)
  let sent = 0
  const flood = (count: number) => {
    for (let nth = 0; nth < count; nth++) refuse(staying, new Response(), () => sent++)
  }
  flood(1_000)
  expect(sent).toBe(200)
  jest.advanceTimersByTime(1_000)
  flood(1)
  expect(sent).toBe(201)
  jest.advanceTimersByTime(3_999)
  expect(sent).toBe(201)
  jest.advanceTimersByTime(1)
  expect(sent).toBe(1_001)
})

test('a client that closes its side is refused at once', () => {
  const refuse = refusals(10_000)
  let end = () => {}
  const leaving = {
    onceClientEnded(listener: () => void) {
      end = listener
      return () => {}
    },
  }
  for (let nth = 0; nth < 200; nth++) refuse(staying, new Response(), () => {})
  let sent = 0
  refuse(leaving, new Response(), () => sent++)
  expect(sent).toBe(0)
  end()
  expect(sent).toBe(1)
  jest.advanceTimersByTime(10_000)
  expect(sent).toBe(1)
})

test('a client that is gone gets no refusal', () => {
  const refuse = refusals(10_000)
  let sent = 0
  const gone = new Response()
  for (let nth = 0; nth < 200; nth++) refuse(staying, new Response(), () => {})
  refuse(staying, gone, () => sent++)
  gone.emit('close')
  jest.advanceTimersByTime(10_000)
  expect(sent).toBe(0)
})

test('a client that had gone before holds nothing back from others', () => {
  const refuse = refusals(2)
  const gone = Object.assign(new Response(), { closed: true })
  for (let nth = 0; nth < 200; nth++) refuse(staying, new Response(), () => {})
  for (let nth = 0; nth < 5; nth++) refuse(staying, gone, () => {})
  let sent = 0
  refuse(staying, new Response(), () => sent++)
  expect(sent).toBe(0)
})

test('at most half of all connections wait for a refusal', () => {
  const refuse = refusals(1_000)
  const responses = Array.from({ length: 1_000 }, () => new Response())
  let sent = 0
  for (const response of responses) refuse(staying, response, () => sent++)
  expect(sent).toBe(500)
  responses[200]?.emit('close')
  refuse(staying, new Response(), () => sent++)
  expect(sent).toBe(500)
  refuse(staying, new Response(), () => sent++)
  expect(sent).toBe(501)
})
