import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { jest } from '@jest/globals'
import type { WebSocket } from 'ws'
import { closeWhenStalled, keepAlive } from '../../../gateway/http/websocket/liveness.ts'

const EVERY_MS = 1_000

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** A client that has just connected and reads everything; a test says what becomes of it. */
const clientOf = () => {
  const connection = {
    bytesRead: 200,
    bytesWritten: 100,
    writableLength: 0,
    _handle: { writeQueueSize: 0 },
  }
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    isPaused: false,
    ping: jest.fn<(payload: string) => void>(),
    terminate: jest.fn(),
    close: jest.fn(),
  })
  const pong = () => {
    connection.bytesRead += 6
    socket.emit('pong', Buffer.from(socket.ping.mock.lastCall?.[0] ?? ''))
  }
  return { socket, connection, pong }
}

type Client = ReturnType<typeof clientOf>

const as = ({ socket, connection }: Client) =>
  [socket as unknown as WebSocket, connection as unknown as Socket, EVERY_MS] as const

const intervals = (count: number) => jest.advanceTimersByTime(count * EVERY_MS)

describe('silence', () => {
  const keptAlive = () => {
    const client = clientOf()
    keepAlive(...as(client))
    intervals(1)
    expect(client.socket.ping).toHaveBeenCalledTimes(1)
    return client
  }

  test('whoever answers each ping is there; whoever leaves one unanswered is gone', () => {
    const { socket, pong } = keptAlive()
    for (let times = 0; times < 20; times++) {
      pong()
      intervals(1)
    }
    expect(socket.terminate).not.toHaveBeenCalled()
    intervals(1)
    expect(socket.terminate).toHaveBeenCalledTimes(1)
  })

  test.each<[string, { sends?: number; isPaused?: true; bufferedAmount?: number }]>([
    ['of whose message parts come', { sends: 1 }],
    ['from whom we read nothing', { isPaused: true }],
    ['for whom something waits', { bufferedAmount: 1 }],
  ])('whoever %s is there without a pong', (_what, { sends = 0, ...state }) => {
    const { socket, connection } = keptAlive()
    Object.assign(socket, state)
    for (let times = 0; times < 20; times++) {
      connection.bytesRead += sends
      intervals(1)
    }
    expect(socket.terminate).not.toHaveBeenCalled()
    Object.assign(socket, { isPaused: false, bufferedAmount: 0 })
    intervals(1)
    expect(socket.terminate).toHaveBeenCalledTimes(1)
  })

  test('whoever was written much may leave 10 pings unanswered, until it has read that', () => {
    const { socket, connection, pong } = keptAlive()
    connection.bytesWritten += 3_000_000
    intervals(9)
    expect(socket.terminate).not.toHaveBeenCalled()
    // Bytes of the first of those pings.
    connection.bytesRead += 6
    socket.emit('pong', Buffer.from(socket.ping.mock.calls[0]?.[0] ?? ''))
    intervals(10)
    expect(socket.terminate).not.toHaveBeenCalled()
    pong()
    intervals(1)
    expect(socket.terminate).not.toHaveBeenCalled()
    intervals(1)
    expect(socket.terminate).toHaveBeenCalledTimes(1)
  })

  test('whoever has much unread and answers none of them is gone', () => {
    const { socket, connection } = keptAlive()
    connection.bytesWritten += 3_000_000
    intervals(9)
    expect(socket.terminate).not.toHaveBeenCalled()
    intervals(1)
    expect(socket.terminate).toHaveBeenCalledTimes(1)
  })
})

describe('stalls', () => {
  const watched = () => {
    const client = clientOf()
    closeWhenStalled(...as(client))
    return client
  }
  const wait = ({ socket, connection }: Client) => {
    connection.bytesWritten += 100
    connection.writableLength = socket.bufferedAmount = 100
    connection._handle.writeQueueSize = 60
  }

  test('whoever takes nothing of what waits is closed, whatever it sends and whatever else is written', () => {
    const client = watched()
    intervals(3)
    wait(client)
    intervals(1)
    expect(client.socket.close).not.toHaveBeenCalled()
    client.connection.bytesRead += 6
    client.connection.bytesWritten += 4
    client.connection.writableLength += 4
    intervals(1)
    expect(client.socket.close).toHaveBeenCalledWith(1013, expect.any(String))
  })

  test('whoever takes some of a write, or all of it, is not closed', () => {
    const client = watched()
    wait(client)
    for (let left = 60; left > 0; left--) {
      client.connection._handle.writeQueueSize = left
      intervals(1)
    }
    client.connection.writableLength -= 60
    intervals(1)
    expect(client.socket.close).not.toHaveBeenCalled()
  })

  test('whoever is only quiet is not closed', () => {
    const { socket } = watched()
    intervals(20)
    expect(socket.close).not.toHaveBeenCalled()
  })

  test('nothing is looked at after the end', () => {
    const client = watched()
    keepAlive(...as(client))
    client.socket.emit('close')
    wait(client)
    intervals(20)
    expect(jest.getTimerCount()).toBe(0)
    expect(client.socket.ping).not.toHaveBeenCalled()
  })
})
