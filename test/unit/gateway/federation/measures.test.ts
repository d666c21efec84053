import { parse } from 'graphql'
import { measure } from '../../../../gateway/federation/operation/measures.ts'

const NONE = { depth: 0, fields: 0, aliases: 0, directives: 0, rootFields: 0 }

/** Each fragment spreads the next one twice. */
const bomb = (fragments: number) =>
  `{ ...F0 } ${Array.from({ length: fragments }, (_, i) => `fragment F${i} on Q { ...F${i + 1} ...F${i + 1} }`).join(' ')} fragment F${fragments} on Q { x: a @b }`

test.each([
  ['fields below each other', '{ a { b { c } } }', { depth: 3, fields: 3, rootFields: 1 }],
  ['fields beside each other', '{ a b c }', { depth: 1, fields: 3, rootFields: 3 }],
  [
    'aliases at any level',
    '{ x: a { y: b } c }',
    { aliases: 2, fields: 3, depth: 2, rootFields: 2 },
  ],
  ['the same field again', '{ a a a }', { fields: 3, depth: 1, rootFields: 3 }],
  [
    'directives wherever they stand',
    'query ($v: Int @d) @d { a @d ... @d { b } ...F @d } fragment F on Q { c @d @d }',
    { directives: 7, fields: 3, depth: 1, rootFields: 3 },
  ],
  [
    'a fragment, as often as it is spread',
    '{ a { ...F } b { ...F } ...F } fragment F on Q { x: c { d } }',
    { depth: 3, fields: 8, aliases: 3, rootFields: 3 },
  ],
  [
    'inline fragments',
    '{ ... on Q { a ... { b { c } } } }',
    { depth: 2, fields: 3, rootFields: 2 },
  ],
  [
    'the largest operation of several',
    'query A { a { b { c } } } query B { x: a y: b z: c w: d }',
    { depth: 3, fields: 4, aliases: 4, rootFields: 4 },
  ],
  [
    'a cycle of fragments',
    '{ ...F } fragment F on Q { a { ...F } }',
    { depth: 1, fields: 1, rootFields: 1 },
  ],
  ['a fragment that is not there', '{ a ...F }', { depth: 1, fields: 1, rootFields: 1 }],
  ['fragments that nobody spreads', 'fragment F on Q { a { b } }', {}],
  [
    'fragments that double ten times',
    bomb(10),
    { depth: 1, fields: 1024, aliases: 1024, directives: 1024, rootFields: 1024 },
  ],
  [
    'fragments that double a hundred times',
    bomb(100),
    { depth: 1, fields: 1e9, aliases: 1e9, directives: 1e9, rootFields: 1e9 },
  ],
])('measures %s', (_what, text, expected) => {
  expect(measure(parse(text))).toEqual({ ...NONE, ...expected })
})
