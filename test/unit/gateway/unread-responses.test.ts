import { EventEmitter } from 'node:events'
import { unreadResponses } from '../../../gateway/http/unread-responses.ts'

const MIB = 2 ** 20

class Response extends EventEmitter {
  isGivenUp = false
  closed = false
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
    note(response, 'x'.repeat(size * MIB))
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
