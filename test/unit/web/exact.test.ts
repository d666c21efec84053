import { parseExact } from '../../../web/src/graph/exact.ts'

const written = (text: string) => JSON.stringify(parseExact(text))

test.each([
  '12345678901234567891',
  '{"a":[9007199254740993,-9007199254740993]}',
  '{"share":0.1234567890123456789}',
  '{"a":1.2345678901234567e+300}',
])('%s keeps its digits', (text) => {
  expect(written(text)).toBe(text)
})

test('numbers that a double has stay numbers, and digits within a text stay a text', () => {
  expect(parseExact('{"a":9007199254740991,"b":1700000000000000,"c":0.1,"d":1e21}')).toEqual({
    a: 9007199254740991,
    b: 1700000000000000,
    c: 0.1,
    d: 1e21,
  })
  expect(parseExact('{"a":"12345678901234567891"}')).toEqual({ a: '12345678901234567891' })
})
