/** Loaded before a program: takes away what Node has got since version 20. Syntax stays. */
const NEWER: readonly (readonly [object, readonly string[]])[] = [
  [Object, ['groupBy']],
  [Map, ['groupBy']],
  [Array, ['fromAsync']],
  [Promise, ['withResolvers', 'try']],
  [RegExp, ['escape']],
  [Error, ['isError']],
  [JSON, ['rawJSON', 'isRawJSON']],
  [URL, ['parse']],
  [
    Set.prototype,
    [
      ...['union', 'intersection', 'difference', 'symmetricDifference'],
      ...['isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
    ],
  ],
  [
    Object.getPrototypeOf(Object.getPrototypeOf([].values())),
    [
      ...['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach'],
      ...['some', 'every', 'find'],
    ],
  ],
  [globalThis, ['Iterator', 'WebSocket', 'navigator', 'Float16Array']],
]

for (const [holder, names] of NEWER) for (const name of names) Reflect.deleteProperty(holder, name)
