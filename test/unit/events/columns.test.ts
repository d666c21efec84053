import { arraysOf, json, number, text, unnest } from '../../../platform/database/copy.ts'

interface Row {
  name?: string | null
  value: unknown
}

const COLUMNS = [
  text<Row>('name', ({ name }) => name),
  json<Row>('value', ({ value }) => value),
  number<Row>('length', ({ name }) => name?.length),
]

test('rows become an array for each column, with what is special to PostgreSQL quoted', () => {
  const rows = [
    { name: 'a"b\\c,{}', value: { 'k"': 'v\n' } },
    { name: null, value: null },
  ]
  expect(arraysOf(COLUMNS, rows)).toEqual([
    '{"a\\"b\\\\c,{}",null}',
    '{"{\\"k\\\\\\"\\":\\"v\\\\n\\"}",null}',
    '{"8",null}',
  ])
})

test('the FROM item has a parameter for each column, counted from where it is told', () => {
  expect(unnest(COLUMNS, 3)).toBe(
    'unnest($3::text[],$4::jsonb[],$5::bigint[]) as row(name,value,length)',
  )
})
