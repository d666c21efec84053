import {
  argumentsWithoutARow,
  fieldsWithoutARow,
  graphFunctions,
  OTHERWISE_OVER_REST,
  WITHOUT_A_ROW,
} from '../../documents/functions.ts'

const functions = graphFunctions()

test('whatever clients of the graph can do has a REST row, or a reason why it has none', () => {
  const unreachable = functions.filter(({ rows, reason }) => rows.length === 0 && !reason)
  expect(unreachable.map(({ name }) => name)).toEqual([])
})

test('no reason is given for what has a row or is not there', () => {
  const needed = functions.filter(({ rows }) => rows.length === 0).map(({ name }) => name)
  expect(Object.keys(WITHOUT_A_ROW).filter((name) => !needed.includes(name))).toEqual([])
})

test('what clients of the graph read below the roots is read by a row, too, or stands elsewhere', () => {
  expect(fieldsWithoutARow()).toEqual(Object.keys(OTHERWISE_OVER_REST))
})

test('a row passes on each argument that clients of the graph may give', () => {
  expect(argumentsWithoutARow()).toEqual([])
})
