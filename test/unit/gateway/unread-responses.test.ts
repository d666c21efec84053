import { EventEmitter } from 'node:events'
import { unreadResponses } from '../../../gateway/http/connection-bounds.ts'

const MIB = 2 ** 20

class Response extends EventEmitter {
  isGivenUp = false
  closed = false
  writableLength = 0
  destroy() {
    this.isGivenUp = true
    this.close()
  }
  close() {
    this.closed = true
    this.emit('close')
  }
}

/** @param read those that clients have read before the next one is sent */
function send(mebibytes: readonly number[], read: readonly number[] = []): boolean[] {
  const note = unreadResponses(10 * MIB)
  const responses = mebibytes.map((size, index) => {
    const response = new Response()
    const forget = note(response, 'x'.repeat(size * MIB))
    if (forget) response.once('close', forget)
    if (read.includes(index)) response.close()
    return response
  })
  return responses.map(({ isGivenUp }) => isGivenUp)
}

test.each<[string, number[], number[], boolean[]]>([
  ['there is room', [4, 4, 2], [], [false, false, false]],
  ['the first one is given up', [4, 4, 4], [], [true, false, false]],
  ['as many as make room', [4, 4, 9], [], [true, true, false]],
  ['what was read makes room', [4, 4, 4, 4], [1], [true, false, false, false]],
  ['one that is larger than all room', [4, 20, 4], [], [true, true, false]],
  ['small ones are not counted', [0.9, ...Array(12).fill(0.9)], [], Array(13).fill(false)],
])('of large responses that are not read: %s', (_what, sizes, read, givenUp) => {
  expect(send(sizes, read)).toEqual(givenUp)
})

test('one whose client left before it was sent holds nothing', () => {
  const note = unreadResponses(10 * MIB)
  const [left, waiting] = [new Response(), new Response()]
  left.close()
  note(waiting, 'x'.repeat(6 * MIB))
  note(left, 'x'.repeat(9 * MIB))
  expect(waiting.isGivenUp).toBe(false)
})

test('characters count by their bytes', () => {
  const note = unreadResponses(10 * MIB)
  const [first, second] = [new Response(), new Response()]
  note(first, '\u4e00'.repeat(2 * MIB))
  note(second, 'x'.repeat(5 * MIB))
  expect(first.isGivenUp).toBe(true)
})

test('small ones count behind others that wait for the same client', () => {
  const note = unreadResponses(10 * MIB)
  const [socket, other] = [new Response(), new Response()]
  socket.writableLength = MIB
  for (let sent = 0; sent < 20; sent++) note(socket, 'x'.repeat(MIB / 2))
  expect(socket.isGivenUp).toBe(false)
  note(other, 'x'.repeat(MIB))
  expect([socket.isGivenUp, other.isGivenUp]).toEqual([true, false])
})

test('of clients with several, the one is given up that has read none of its own for longest', () => {
  const note = unreadResponses(10 * MIB)
  const [reading, stuck, next] = [new Response(), new Response(), new Response()]
  const read = note(reading, 'x'.repeat(2 * MIB))
  note(reading, 'x'.repeat(2 * MIB))
  note(stuck, 'x'.repeat(6 * MIB))
  read?.()
  note(next, 'x'.repeat(4 * MIB))
  expect([reading, stuck, next].map(({ isGivenUp }) => isGivenUp)).toEqual([false, true, false])
})

test('what is given up makes room once, and is sent no more', () => {
  const note = unreadResponses(10 * MIB)
  const [stuck, first, second] = [new Response(), new Response(), new Response()]
  const read = note(stuck, 'x'.repeat(6 * MIB))
  expect(note(stuck, 'x'.repeat(6 * MIB))).toBeUndefined()
  expect(stuck.isGivenUp).toBe(true)
  read?.()
  note(first, 'x'.repeat(6 * MIB))
  note(second, 'x'.repeat(5 * MIB))
  expect([first.isGivenUp, second.isGivenUp]).toEqual([true, false])
})
