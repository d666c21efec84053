import fc from 'fast-check'
import pg from 'pg'
import {
  type Column,
  copyOf,
  flag,
  integer,
  json,
  number,
  text,
  time,
  uuid,
} from '../../../platform/database/copy.ts'
import { CopyQuery } from '../../../platform/database/sql.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

interface Row {
  at: number
  text: string | null
  uuid: string | null
  json: unknown
  time: Date | null
  number: number | null
  integer: number | null
  flag: boolean | null
}

const COLUMNS: readonly Column<Row>[] = [
  number('at', ({ at }) => at),
  text('text', (row) => row.text),
  uuid('uuid', (row) => row.uuid),
  json('json', (row) => row.json),
  time('time', (row) => row.time),
  number('number', (row) => row.number),
  integer('integer', (row) => row.integer),
  flag('flag', (row) => row.flag),
]

const withoutNul = (unit: 'grapheme' | 'binary') =>
  fc.string({ unit, maxLength: 200 }).map((given) => given.toWellFormed().replaceAll('\0', ' '))

// Their texts are shorter and longer than what is written by hand, and beyond ASCII.
const rowOf: fc.Arbitrary<Omit<Row, 'at'>> = fc.record({
  text: fc.option(
    fc.oneof(withoutNul('grapheme'), withoutNul('binary'), fc.constant('\t\\N\n\\.')),
  ),
  uuid: fc.option(fc.uuid()),
  json: fc.option(
    fc.oneof(fc.dictionary(withoutNul('grapheme'), fc.integer()), fc.array(fc.boolean())),
  ),
  time: fc.option(
    fc.date({
      min: new Date('-004000-01-01'),
      max: new Date('+270000-01-01'),
      noInvalidDate: true,
    }),
  ),
  number: fc.option(fc.maxSafeInteger()),
  integer: fc.option(fc.integer()),
  flag: fc.option(fc.boolean()),
})

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createDatabase()
  client = new pg.Client(database.url)
  await client.connect()
  await client.query(
    'create table copied (at bigint, text text, uuid uuid, json jsonb, time timestamptz, number bigint, integer int, flag boolean)',
  )
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('whatever is appended is read again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rowOf, { maxLength: 50 }), async (given) => {
      const rows = given.map((row, at) => ({ at, ...row }))
      await client.query('truncate copied')
      const count = 'select count(*) from copied'
      const counted = await client.query(new CopyQuery(copyOf('copied', COLUMNS, rows), count))
        .ended
      expect(counted).toBe(String(rows.length))
      const read = await client.query(
        `select at::float8, text, uuid, json, number::float8, integer, flag,
           (extract(epoch from time) * 1000)::float8 as time from copied order by at`,
      )
      expect(read.rows).toEqual(
        rows.map((row) => ({ ...row, time: row.time === null ? null : row.time.getTime() })),
      )
    }),
  )
})

test('rows that are longer than expected are appended whole', async () => {
  const rows = ['x'.repeat(1_000_000), 'ä'.repeat(500_000), '🦎'].map((text, at) => ({ at, text }))
  const columns = [
    number<(typeof rows)[0]>('at', ({ at }) => at),
    text<(typeof rows)[0]>('text', (row) => row.text),
  ]
  await client.query('truncate copied')
  const all = `select string_agg(text, ',' order by at) from copied`
  const read = await client.query(new CopyQuery(copyOf('copied', columns, rows), all)).ended
  expect(read === rows.map(({ text }) => text).join()).toBe(true)
})
