import { setTimeout as delay } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { LiveEvent } from '../../../gateway/federation/subscriptions/live-event.ts'
import { SocketBackpressure } from '../../../gateway/http/websocket/backpressure.ts'
import type { ClientSocket } from '../../../gateway/http/websocket/client-socket.ts'
import { SocketStream } from '../../../gateway/http/websocket/stream.ts'

const BUFFER_BYTES = 10
const A_WHILE_MS = 100

/** A client that reads as much as a test says. */
const socketOf = () => {
  const socket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    isPaused: false,
    code: undefined as number | undefined,
    pause() {
      socket.isPaused = true
    },
    resume() {
      socket.isPaused = false
    },
    close(code: number) {
      socket.code = code
      socket.readyState = 2
    },
    get closed() {
      return socket.readyState !== socket.OPEN
    },
    deliver(text: string) {
      socket.bufferedAmount += text.length
    },
  }
  return socket
}

const backpressureOf = (socket: object) => new SocketBackpressure(socket as WebSocket, BUFFER_BYTES)

test('whoever reads, however slowly, is waited for', async () => {
  const socket = socketOf()
  socket.bufferedAmount = 16
  const waited = backpressureOf(socket).wait()
  for (; socket.bufferedAmount > 10; socket.bufferedAmount--) {
    expect(socket.isPaused).toBe(true)
    await delay(A_WHILE_MS)
  }
  await waited
  expect(socket).toMatchObject({ isPaused: false, code: undefined })
})

test('whoever is closed is not waited for', async () => {
  const socket = socketOf()
  socket.bufferedAmount = 16
  const waited = backpressureOf(socket).wait()
  socket.close(1013)
  await waited
  expect(socket.isPaused).toBe(false)
})

test('a client that asks ahead is served in turns, and read again when it is its turn', async () => {
  const socket = socketOf()
  const backpressure = backpressureOf(socket)
  const running: (() => void)[] = []
  const all = Array.from({ length: 40 }, () =>
    backpressure.run(() => new Promise<void>((resolve) => running.push(resolve))),
  )
  await delay(1)
  expect([running.length, socket.isPaused]).toEqual([32, true])
  for (let ended = 0; ended < all.length; ended++) {
    running[ended]?.()
    await delay(1)
  }
  await Promise.all(all)
  expect([running.length, socket.isPaused]).toEqual([40, false])
})

test('an answer is sent at once, and ends its turn when there is room behind it', async () => {
  const socket = socketOf()
  const backpressure = backpressureOf(socket)
  const answer = async () => {
    socket.bufferedAmount = 16
    return 'answer'
  }
  const answers = await Promise.all(Array.from({ length: 32 }, () => backpressure.run(answer)))
  expect(new Set(answers)).toEqual(new Set(['answer']))
  const next = backpressure.run(answer)
  await delay(A_WHILE_MS)
  expect(await Promise.race([next, 'nothing yet'])).toBe('nothing yet')
  socket.bufferedAmount = 0
  expect(await next).toBe('answer')
  socket.bufferedAmount = 0
})

test('a failure ends the turn, too', async () => {
  const backpressure = backpressureOf(socketOf())
  const failed = () => backpressure.run(() => Promise.reject(new Error('no')))
  for (let run = 0; run < 40; run++) await expect(failed()).rejects.toThrow('no')
})

test('a large answer that waits in front of events does not make a client slow', () => {
  const socket = socketOf()
  const stream = new SocketStream(
    { deliverTo: () => ({ opened: Promise.resolve(), leave() {} }) },
    { socket: socket as unknown as ClientSocket, streams: new Set() },
    '1',
    'r',
  )
  const event = new LiveEvent({ data: { n: 1 } })
  stream.event(event)
  socket.bufferedAmount = 0
  socket.deliver('x'.repeat(1_000_000))
  stream.event(event)
  const one = stream.waitingBytes()
  expect(one).toBeLessThan(200)
  stream.event(event)
  expect(stream.waitingBytes()).toBeGreaterThan(one)
  socket.bufferedAmount = 0
  expect(stream.waitingBytes()).toBe(0)
})
