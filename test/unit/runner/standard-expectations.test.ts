import { judge, select } from '../../../runner/expectations/expectation.ts'

const holds = (schema: object, value: unknown): boolean =>
  judge({ assert: 'schema', value: schema }, value) === null

describe('multipleOf goes by decimal digits', () => {
  test('each amount to 1.00 is a multiple of 0.01', () => {
    const amounts = Array.from({ length: 101 }, (_, cents) => cents / 100)
    expect(amounts.filter((amount) => !holds({ multipleOf: 0.01 }, amount))).toEqual([])
  })

  test.each([
    [0.295, 0.01, false],
    [4.35, 0.05, true],
    [-0.3, 0.1, true],
    [1e-7, 1e-8, true],
    [1e-8, 1e-7, false],
    [1e300, 0.1, true],
    [7, 2, false],
    [1.1e21, 3, false],
    ['0.295', 0.01, true], // no number
  ])('%p by %p: %p', (value, multipleOf, expected) => {
    expect(holds({ multipleOf }, value)).toBe(expected)
  })

  test.each(['http://json-schema.org/draft-07/schema#', undefined])(
    'and says what is wrong, in the draft %s',
    ($schema) => {
      const schema = { ...($schema && { $schema }), properties: { a: { multipleOf: 0.01 } } }
      const unmet = judge({ assert: 'schema', value: schema }, { a: 0.295 })
      expect(unmet?.message).toContain('$/a must be multiple of 0.01')
      const zero = judge({ assert: 'schema', value: { multipleOf: 0 } }, 1)
      expect(zero?.message).toContain('must be > 0')
    },
  )
})

describe('paths count and order Unicode scalar values', () => {
  const WORDS = ['\ue000', '\u{10000}', 'a', 'ab', '', '\u{1f600}\u{1f600}']

  test.each<[string, string[]]>([
    ['$[?length(@) == 1]', ['\ue000', '\u{10000}', 'a']],
    ['$[?length(@) == 2]', ['ab', '\u{1f600}\u{1f600}']],
    ["$[?@ < '\u{10000}']", ['\ue000', 'a', 'ab', '']],
    ["$[?@ > '\ue000']", ['\u{10000}', '\u{1f600}\u{1f600}']],
    ["$[?@ >= '\u{10000}']", ['\u{10000}', '\u{1f600}\u{1f600}']],
    ["$[?!(@ <= '\ue000')]", ['\u{10000}', '\u{1f600}\u{1f600}']],
    ["$[?@ <= 'a']", ['a', '']],
    ["$[?match(@, '[\u{10000}\u{1f600}]{2}')]", ['\u{1f600}\u{1f600}']],
    ["$[?search(@, '\u{10000}|b')]", ['\u{10000}', 'ab']],
    ["$[?match(@, '\u{10000}(')]", []],
    ["$[?@ > 'a' && length(@) > 1 || @ == '']", ['ab', '', '\u{1f600}\u{1f600}']],
  ])('%s', (path, expected) => {
    expect(select(path, WORDS).actual).toEqual(expected)
  })

  test('within nested filters, of numbers, and of what is not there', () => {
    const value = [{ a: [{ b: '\u{10000}' }] }, { a: [{ b: 'x' }] }]
    expect(select("$[?@.a[?@.b > '\ue000']]", value).actual).toEqual([value[0]])
    expect(select('$[?@ < 2]', [1, 2, '1']).actual).toEqual([1])
    expect(
      select('$[?@.a <= @.b]', [{}, { a: 1, b: 1 }, { a: null, b: null }]).actual,
    ).toHaveLength(3)
    expect(select('$[?length(@) == 2]', [[1, 2], { a: 1, b: 2 }, 2, null]).actual).toHaveLength(2)
  })
})
