import { joined, missingEnd } from '../../../web/src/executions/ends.ts'

test('what is read from both ends is joined, and what is missing between them is empty', () => {
  expect(joined(['a', 'b'], [], 3)).toEqual(['a', 'b', undefined])
  expect(joined(['a'], ['e', 'd'], 5)).toEqual(['a', undefined, undefined, 'd', 'e'])
  expect(joined(['a', 'b'], ['d', 'c'], 4)).toEqual(['a', 'b', 'c', 'd'])
})

test('what both ends have is there once', () => {
  expect(joined(['a', 'b', 'c'], ['d', 'c', 'b'], 4)).toEqual(['a', 'b', 'c', 'd'])
  expect(joined(['a', 'b'], ['b', 'a'], 2)).toEqual(['a', 'b'])
})

test.each([
  ['the start is seen', 500, 15_000, { from: 0, to: 60 }, null],
  ['what is read from the start ends soon', 500, 15_000, { from: 400, to: 460 }, 'start'],
  ['the end is seen', 500, 15_000, { from: 14_940, to: 14_999 }, 'end'],
  ['the end is seen and read', 500, 14_500, { from: 14_940, to: 14_999 }, null],
  ['what is read from the end begins soon', 500, 14_500, { from: 14_540, to: 14_600 }, 'end'],
  ['the middle is seen, nearer to the start', 500, 14_500, { from: 3_000, to: 3_060 }, 'start'],
  ['the middle is seen, nearer to the end', 500, 14_500, { from: 12_000, to: 12_060 }, 'end'],
  ['all is read', 8_000, 8_000, { from: 7_990, to: 8_050 }, null],
] as const)('reads on where lines are missing: %s', (_what, start, end, seen, expected) => {
  expect(missingEnd(start, end, seen)).toBe(expected)
})
