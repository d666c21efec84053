import { createCaptures } from '../../../runner/run/limits.ts'

test('what is captured at a time is bounded, and a row that has ended gives its place back', () => {
  const captures = createCaptures(100)
  const first: Record<string, unknown> = {}
  const second: Record<string, unknown> = {}
  captures.keep({ a: 'x'.repeat(80) }, first)
  expect(() => captures.keep({ b: ['x'.repeat(40)] }, second)).toThrow(
    expect.objectContaining({ code: 'CAPTURE_LIMIT' }),
  )
  expect(second).toEqual({})
  captures.release(first)
  captures.keep({ b: ['x'.repeat(40)] }, second)
  expect(second).toEqual({ b: ['x'.repeat(40)] })
})
