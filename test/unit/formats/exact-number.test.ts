import fc from 'fast-check'
import { ExactNumber, exactJson, MAX_DIGITS, numberOf } from '../../../formats/json/exact-number.ts'
import { asDoubles, parseExact, reviveExact } from '../../../formats/json/json.ts'
import { numberText } from '../../support/number-text.ts'
import { processorMs } from '../../support/processor-ms.ts'

/** As JSON writes what was read. */
const readBack = (text: string) => JSON.stringify(parseExact(text))

test.each([
  '9007199254740993',
  '-9007199254740993',
  '1234567890123456789',
  '0.1000000000000000055',
  '-0.1000000000000000055',
  '123456789012345678901234567890',
  '1234567890123456789000000',
  '1.00000000000000000000001',
  '0.00000000000000000012345678901234567',
])('%s keeps its digits', (text) => {
  expect(parseExact(text)).toBeInstanceOf(ExactNumber)
  for (const json of [text, `[${text}]`, `{"a":${text}}`, `{"a":{"b":["x",1,${text}]}}`])
    expect(readBack(json)).toBe(json)
})

test.each(['0', '1', '-1', '0.1', '1e21', '1e300', '93.33333333333333', '0.30000000000000004'])(
  '%s is a plain number',
  (text) => {
    expect(parseExact(text)).toBe(Number(text))
    expect(parseExact(` { "a" : ${text} }`)).toEqual({ a: Number(text) })
  },
)

test('A short exponent behind sixteen digits is looked at', () => {
  expect(readBack('[8891656922111061e7]')).toBe('[88916569221110610000000]')
})

test.each([
  ['1', '1.0', '1e0', '10e-1', '0.1E+1', '1.00000000000000000000000'],
  ['9007199254740993', '9007199254740993.0', '9.007199254740993e15', '90071992547409930E-1'],
  ['0', '-0', '0.0000000000000000000', '0e999', '-0e-999'],
  ['1.5e-310', '0.15e-309', `0.${'0'.repeat(309)}15`],
])('spellings of one number are read as one', (...texts) => {
  expect(new Set(texts.map(readBack)).size).toBe(1)
})

test.each([
  '1e400',
  '-1e400',
  '1e-400',
  '1.7976931348623159e309',
  `0.${'1'.repeat(MAX_DIGITS + 1)}`,
])('%s is read, and marked as one that cannot be kept', (text) => {
  const [number] = parseExact(`[${text}]`) as [ExactNumber]
  expect(number.isKept).toBe(false)
  expect(JSON.stringify(number)).toMatch(/\dE[+-]\d/)
  expect(readBack(JSON.stringify([number]))).toBe(JSON.stringify([number]))
})

test('A number of as many digits as are kept is kept', () => {
  const [number] = parseExact(`[0.${'1'.repeat(MAX_DIGITS)}]`) as [ExactNumber]
  expect(number.isKept).toBe(true)
})

test('Numbers within texts and keys stay what they are', () => {
  const json = '{"a: 9007199254740993":"b: 1e400, 9007199254740993","c":[0.1]}'
  expect(readBack(json)).toBe(json)
  expect(readBack('["9007199254740993",9007199254740993]')).toBe(
    '["9007199254740993",9007199254740993]',
  )
})

test('What is no JSON is refused as JSON.parse refuses it', () => {
  for (const text of ['', '-', '[9007199254740993', '[09007199254740993]', '[9007199254740993.]'])
    expect(() => parseExact(text)).toThrow(SyntaxError)
})

test.each([
  ['{"a":[1,{"b":9007199254740993}]}', 'a[1].b: 9007199254740993 would lose digits'],
  ['[-1e400]', '[0]: -1E+400 is outside the range'],
  ['123456789012345678901234567890', '123456789012345678901234567890 would lose digits'],
  [`[1${'0'.repeat(99)}1]`, `[0]: 1${'0'.repeat(39)}… would lose digits`],
])('As a double %s is refused at its place', (text, message) => {
  expect(() => asDoubles(parseExact(text))).toThrow(message)
})

test('As doubles, fractions become the nearest one, and integers that keep their digits stay', () => {
  const plain = { a: [Number.MAX_SAFE_INTEGER, 1e21, 'x', null] }
  expect(asDoubles(plain)).toBe(plain)
  expect(asDoubles(parseExact('[0.1000000000000000055,9007199254740994]'))).toEqual([
    0.1, 9007199254740994,
  ])
  const odd = parseExact('{"a":{"__proto__":1,"b":0.1000000000000000055},"c":"d"}')
  expect(JSON.stringify(asDoubles(odd))).toBe('{"a":{"__proto__":1,"b":0.1},"c":"d"}')
})

test('A million digits take linear time', () => {
  const digits = `1${'0'.repeat(1_000_000)}1`
  for (const text of [digits, `0.${digits}`, `-${digits}.${digits}e-999`])
    expect((parseExact(`[${text}]`) as [ExactNumber])[0].isKept).toBe(false)
})

test('Exact numbers in strings, behind escapes and under any key stay where they are', () => {
  for (const text of [
    String.raw`{"a":":9007199254740993","b\":[,1e400,":9007199254740993}`,
    String.raw`["\\","\"",9007199254740993,"[1e400,\\",{"":9007199254740993}]`,
    '{"__proto__":9007199254740993,"1":[9007199254740993],"0":{"__proto__":[9007199254740995]}}',
  ])
    expect(JSON.stringify(parseExact(text))).toBe(JSON.stringify(JSON.parse(text, reviveExact)))
})

test('More exact numbers than a client may send are refused', () => {
  const text = `["1e400"${',1e400'.repeat(3)}]`
  expect(parseExact(text, 3)).toHaveLength(4)
  expect(() => parseExact(text, 2)).toThrow(/More than 2 numbers .*MAX_EXACT_NUMBERS/)
})

test.each([
  ['1.0', 249_000],
  ['1e9', 249_000],
  ['0e1', 249_000],
  ['{}', 124_000],
  ['0.30000000000000004', 50_000],
])(
  'One exact number makes a list of %s, %i times, less work than a reviver does',
  (element, times) => {
    const text = `[${`${element},`.repeat(times)}9007199254740993]`
    const spentMs = (parse: (text: string) => unknown) => {
      const began = processorMs()
      parse(text)
      return processorMs() - began
    }
    const revived = (text: string) => JSON.parse(text, reviveExact)
    // In turns, as the machine changes its speed.
    const isLess = () => spentMs(parseExact) / spentMs(revived) < 0.8
    expect([1, 2, 3, 4, 5].some(isLess)).toBe(true)
  },
)

/** digits × 10^exponent as one whole number: no two numbers have the same. */
function scaled(text: string): bigint {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const power = 400 + Number(exponent) - fraction.length
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(power)
}

test('Any number is read back as the same number, in the same text as every number equal to it', () => {
  fc.assert(
    fc.property(numberText, fc.nat(20), (text, zeros) => {
      const written = readBack(`[${text}]`).slice(1, -1)
      expect(scaled(written)).toBe(scaled(text))
      const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
      const other = `${mantissa}${mantissa.includes('.') ? '' : '.'}${'0'.repeat(zeros + 1)}e${exponent}`
      expect(readBack(`[${other}]`)).toBe(`[${written}]`)
      expect(JSON.stringify(numberOf(text))).toBe(written)
    }),
    { numRuns: 2_000 },
  )
})

test('on Node 20, which has no JSON.rawJSON, numbers keep their digits', () => {
  const text =
    '{"n":9007199254740993,"text":"9007199254740993","list":[1,0.12345678901234567890123]}'
  const { rawJSON } = JSON
  Reflect.deleteProperty(JSON, 'rawJSON')
  try {
    expect(exactJson(parseExact(text))).toBe(text)
  } finally {
    Object.assign(JSON, { rawJSON })
  }
  expect(exactJson(parseExact(text))).toBe(text)
})
