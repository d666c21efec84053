import { entityTag, namesTag, parseIfMatch } from '../../../rest-bridge/entity-tag.ts'

test.each<[string | undefined, number[] | null]>([
  [undefined, null],
  ['*', null],
  [' * ', null],
  ['"1"', [1]],
  [entityTag(42), [42]],
  ['"1", "2","3"', [1, 2, 3]],
  ['7', [7]],
  ['W/"1"', [1]],
  ['W/"1", "2"', [1, 2]],
  ['"3-gzip"', [3]],
  ['W/"3-br"', [3]],
  ['"3--gzip"', [3]],
  ['"3;br", "4:zstd"', [3, 4]],
  ['"3-1", "3gzip", "-gzip", "3-gzip-2", "3-"', []],
  ['"01"', []],
  ['"1.0", "x,y", "é", "", "W/1"', []],
  ['"a,b","5",W/"6,7"', [5]],
  ['"99999999999999999999"', []],
  ['"-1", "0"', []],
])('If-Match: %s accepts the revisions %j', (header, revisions) => {
  expect(parseIfMatch(header)).toEqual(revisions)
})

test.each(['', '"1', '1"', '"1" "2"', '"1",', ', "1"', 'w/"1"', '"a"b"', '"x y"'])(
  'If-Match: %s is refused',
  (header) => {
    expect(() => parseIfMatch(header)).toThrow('Header If-Match: expected')
  },
)

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['*', true],
  ['"3"', true],
  ['W/"3"', true],
  ['3', true],
  ['"1", W/"3"', true],
  ['"3-gzip"', true],
  ['W/"3;br"', true],
  ['"33-gzip"', false],
  ['"33", "03"', false],
  ['"3', false],
  ['', false],
])('If-None-Match: %s names the tag "3": %s', (header, expected) => {
  expect(namesTag(header, entityTag(3))).toBe(expected)
})
