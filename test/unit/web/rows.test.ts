import {
  extended,
  NO_ROWS,
  type Patch,
  patched,
  type Rows,
  withChanged,
} from '../../../web/src/graph/rows.ts'

interface Row {
  id: string
  at: number
  state: string
}

const row = (at: number, state = 'OPEN'): Row => ({ id: `row ${at}`, at, state })
const page = (nodes: Row[], hasNextPage: boolean, totalCount?: number) => ({
  nodes,
  pageInfo: { endCursor: 'end', hasNextPage },
  ...(totalCount !== undefined && { totalCount }),
})
const change =
  (changed: Row[], wanted?: string): Patch<Row> =>
  (rows, last) =>
    withChanged(rows, changed, {
      isBefore: (a, b) => a.at > b.at,
      isWanted: ({ state }) => wanted === undefined || state === wanted,
      last,
    })
const shown = ({ rows, total }: Rows<Row>) => [rows.map(({ at }) => at), total]

/** The first two of four. */
const begun = extended<Row>(NO_ROWS, page([row(9), row(7)], true, 4), [])

test('a row that is not read yet changes neither the list nor its total', () => {
  const updated = patched(begun, change([row(3)]))
  expect(shown(updated)).toEqual([[9, 7], 4])
  expect(shown(extended(updated, page([row(3), row(1)], false), []))).toEqual([[9, 7, 3, 1], 4])
})

test('a row that the list has is not added with its page again', () => {
  const updated = patched(begun, change([row(8)]))
  expect(shown(updated)).toEqual([[9, 8, 7], 5])
  expect(shown(extended(updated, page([row(8), row(3)], false), []))).toEqual([[9, 8, 7, 3], 5])
})

test('a changed row stays in its place, and a new one takes the place that reading would give it', () => {
  const updated = patched(begun, change([row(7, 'CLOSED'), row(10)]))
  expect(shown(updated)).toEqual([[10, 9, 7], 5])
  expect(updated.rows.at(-1)?.state).toBe('CLOSED')
})

test('in an order that the server alone knows, a row changes in its place and none is added', () => {
  const updated = patched(begun, (rows, last) =>
    withChanged(rows, [row(7, 'CLOSED'), row(8)], { last }),
  )
  expect(shown(updated)).toEqual([[9, 7], 4])
  expect(updated.rows.at(-1)?.state).toBe('CLOSED')
})

test('a row that leaves the list lowers the total', () => {
  expect(shown(patched(begun, change([row(9, 'CLOSED')], 'OPEN')))).toEqual([[7], 3])
})

test('once all rows are read, a row may come last', () => {
  const whole = extended(begun, page([row(3), row(1)], false), [])
  expect(shown(patched(whole, change([row(0)])))).toEqual([[9, 7, 3, 1, 0], 5])
})

test('updates that arrive while a page is read apply to it', () => {
  const update = change([row(3, 'CLOSED')], 'OPEN')
  const updated = patched(begun, update)
  expect(shown(extended(updated, page([row(3), row(1)], false), [update]))).toEqual([[9, 7, 1], 3])
})

test('lines without an id are all kept', () => {
  const lines = () => ({ ...page([], true), nodes: [{ text: 'same' }, { text: 'same' }] })
  expect(extended(extended(NO_ROWS, lines(), []), lines(), []).rows).toHaveLength(4)
})

test('a total that is an estimate stays one behind further pages and changes', () => {
  const first = extended<Row>(
    NO_ROWS,
    { ...page([row(3)], true, 1_424), isTotalCountEstimated: true },
    [],
  )
  const all = patched(extended(first, page([row(2)], false), []), change([row(4)]))
  expect(all).toMatchObject({ total: 1_425, isEstimated: true })
})
