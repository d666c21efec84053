import { parseYaml } from '../../schema/yaml.ts'

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
