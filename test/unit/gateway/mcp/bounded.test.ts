import { bounded, valueAt } from '../../../../gateway/mcp/bounded.ts'

const TEXT = { type: 'string' }
const SCHEMA = {
  type: 'object',
  properties: {
    log: TEXT,
    items: {
      type: 'array',
      items: { type: 'object', properties: { id: TEXT, any: {} }, required: ['id'] },
    },
  },
}
const items = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `${n}`, any: null }))

test('what fits is returned as it is', () => {
  const value = { log: 'short', items: items(2) }
  expect(bounded(value, SCHEMA, 1_000)).toEqual({ value, cuts: [] })
})

test.each([
  ['a long text', { log: 'x'.repeat(100_000), items: [] }],
  ['a long list', { log: '', items: items(5_000) }],
  ['many long texts', { log: '', items: items(40).map(() => ({ id: 'y'.repeat(5_000), any: 1 })) }],
  ['a text of quotes', { log: '"'.repeat(100_000), items: [] }],
  [
    'a free value',
    {
      log: '',
      items: [{ id: 'a', any: Object.fromEntries(items(9_000).map(({ id }) => [id, id])) }],
    },
  ],
])('%s is cut until it fits, and the cut says where', (_what, value) => {
  const { value: left, cuts } = bounded(value, SCHEMA, 10_000) ?? { cuts: [] }
  expect(JSON.stringify(left).length).toBeLessThanOrEqual(10_000)
  expect(Object.keys(left as object)).toEqual(['log', 'items'])
  expect(cuts.length).toBeGreaterThan(0)
  for (const { from, of } of cuts) expect(from).toBeLessThan(of)
})

test('a value that is read on piece by piece is the whole one', () => {
  const value = { log: 'ab😀c'.repeat(9_999), items: items(3_333) }
  for (const path of ['log', 'items']) {
    const found = valueAt({ value, schema: SCHEMA }, path)
    const pieces: unknown[] = []
    let from: number | undefined = 0
    while (from !== undefined) {
      const piece = bounded(found?.value, found?.schema, 10_000, { path, from })
      pieces.push(piece?.value)
      from = piece?.cuts.find((cut) => cut.path === path)?.from
    }
    expect(pieces.length).toBeGreaterThan(3)
    const whole = path === 'log' ? pieces.join('') : pieces.flat()
    expect(whole).toEqual(found?.value)
  }
})

test('no character is cut in two', () => {
  const { value } = bounded({ log: '😀'.repeat(50_000) }, SCHEMA, 10_000) ?? {}
  expect(JSON.stringify(value)).not.toMatch(/\\ud/)
})

test('what has no room even cut is no result', () => {
  const wide = Object.fromEntries(items(5_000).map(({ id }) => [`field${id}`, 'value']))
  const properties = Object.fromEntries(Object.keys(wide).map((key) => [key, TEXT]))
  expect(bounded(wide, { type: 'object', properties }, 10_000)).toBeUndefined()
})

test.each(['nothing', 'items.7', 'items.0.id.length', '__proto__', 'constructor', ''])(
  'there is no value at "%s"',
  (path) => {
    expect(valueAt({ value: { items: items(1) }, schema: SCHEMA }, path)).toBeUndefined()
  },
)
