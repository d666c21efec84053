import { parseYaml } from '../../../formats/yaml.ts'

const read = (text: string) => parseYaml(text, 'it')

test.each([
  ['a: 9007199254740993', 'line 1, column 4: 9007199254740993 would lose digits'],
  ['a:\n  - 1\n  - 1e400', 'line 3, column 5: 1E+400 is outside the range'],
  ['a: 0x20000000000001', 'line 1, column 4: 9007199254740993 would lose digits'],
  ['9007199254740993: a', 'line 1, column 1: 9007199254740993 would lose digits'],
  ['a: -.INF', 'line 1, column 4: -.INF is no number that JSON has'],
  ['a: .nan', 'line 1, column 4: .nan is no number that JSON has'],
])('%j is refused where the number stands', (text, message) => {
  expect(() => read(text)).toThrow(message)
})

test.each<[string, unknown]>([
  ['"9007199254740993"', '9007199254740993'],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['+5', 5],
  ['0x1f', 31],
  ['0o17', 15],
  ['1.', 1],
  ['-.5', -0.5],
  ['.12345678901234567890', 0.12345678901234568],
  ['1.e5', 100_000],
  ['1e30', 1e30],
  ['0.1000000000000000055', 0.1],
])('%s is read', (text, value) => {
  expect(read(`a: ${text}`)).toEqual({ a: value })
})

test.each([
  ['base: &base\n  a: 1\nx:\n  <<: *base', 'line 4, column 3'],
  ['- &one {a: 1}\n- &two {b: 1}\n- {<<: [*one, *two]}', 'line 3, column 4'],
])('%j is refused for its merge key', (text, place) => {
  expect(() => read(text)).toThrow(
    `it has a merge key (<<) in ${place}: YAML 1.2 has no merge keys`,
  )
})

test('a quoted << is a key, and a plain one a value', () => {
  expect(read('"<<": <<')).toEqual({ '<<': '<<' })
})

test.each([
  ['a: !!set {x, y}', 'a value of the kind !!set in line 1, column 10'],
  ['a: !!omap [ x: 1, y: 2 ]', 'a value of the kind !!omap in line 1, column 11'],
  ['a: !!pairs [ x: 1 ]', 'a value of the kind !!pairs in line 1, column 12'],
  ['a:\n  - !!binary aGVsbG8=', 'a value of the kind !!binary in line 2, column 14'],
  ['a: !!timestamp 2020-01-01', 'a value of the kind !!timestamp in line 1, column 16'],
  ['%YAML 1.1\n---\na: 2020-01-01', 'a value of the kind !!timestamp in line 3, column 4'],
  ['? [1, 2]\n: x', 'a key that is no text in line 1, column 3'],
  ['b: 1\n? {a: 1}\n: x', 'a key that is no text in line 2, column 3'],
  ['null: x', 'a key that is no text in line 1, column 1'],
  ['0x10: x', 'a key that is no text in line 1, column 1'],
  ['a: &k [1]\n*k : x', 'a key that is no text in line 2, column 1'],
  ['a: &x [1, *x]', 'a use of *x in line 1, column 11: it stands within its own anchor'],
  ['a: &x\n  b: { c: *x }', 'a use of *x in line 2, column 11: it stands within its own anchor'],
  ['a: *x', 'a use of *x in line 1, column 4: its anchor stands nowhere before it'],
])('%j is refused, as JSON has no such thing', (text, message) => {
  expect(() => read(text)).toThrow(`it has ${message}`)
})

test('keys that are numbers or truths as they are written are their text', () => {
  expect(read('200: ok\ntrue: 1\n!!str 1.0: a\n"null": b')).toEqual({
    ...{ 200: 'ok', true: 1 },
    ...{ '1.0': 'a', null: 'b' },
  })
})

test('an anchor that is used again stands for its last value', () => {
  expect(read('a: &x 1\nb: [&x 2, *x]\n&k c: *x')).toEqual({ a: 1, b: [2, 2], c: 2 })
})
