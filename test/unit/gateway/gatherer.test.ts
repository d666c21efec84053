import { Gatherer } from '../../../gateway/http/body/read.ts'

const ROOM = 16_384

test.each([
  ['nothing', [], []],
  ['one piece', [5], [5]],
  ['one large piece', [70_000], [70_000]],
  ['empty pieces', [0, 0, 3, 0], [3]],
  ['small pieces', [1, 2, 3], [6]],
  ['pieces of a byte', Array(ROOM * 2 + 1).fill(1), [ROOM, ROOM, 1]],
  ['small pieces around a large one', [1, 1, 70_000, 1], [2, 70_000, 1]],
  ['pieces that do not fill the room', Array(17).fill(1_000), [16_000, 1_000]],
  ['pieces that are large enough', [1_024, 1_024, 1_023], [1_024, 1_024, 1_023]],
])('%s', (_, given, expected) => {
  const whole = Buffer.from(
    Array.from({ length: given.reduce((a, b) => a + b, 0) }, (_, at) => at % 251),
  )
  const pieces: Buffer[] = []
  const gatherer = new Gatherer((piece) => pieces.push(piece))
  let at = 0
  for (const length of given) {
    gatherer.add(whole.subarray(at, at + length))
    at += length
  }
  gatherer.end()
  expect(pieces.map(({ length }) => length).filter((length) => length > 0)).toEqual(expected)
  expect(Buffer.concat(pieces).equals(whole)).toBe(true)
})

test('a body of one piece is not copied', () => {
  const piece = Buffer.from('{}')
  const pieces: Buffer[] = []
  const gatherer = new Gatherer((each) => pieces.push(each))
  gatherer.add(piece)
  gatherer.end()
  expect(pieces[0]).toBe(piece)
})
