import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { ENVIRONMENT } from '../../../subgraphs/test-execution/artifacts/environment/environment.kind.ts'
import { conditionSql } from '../../../subgraphs/test-execution/artifacts/list/filter.sql.ts'
import { readFilter } from '../../../subgraphs/test-execution/artifacts/list/filter.ts'
import { TESTCASE } from '../../../subgraphs/test-execution/artifacts/testcase/testcase.kind.ts'

const database = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

function compiled(filter: Record<string, unknown>, kind = TESTCASE) {
  const [condition] = readFilter(kind, filter)
  if (!condition) throw new Error('The filter has no condition')
  const { sql, parameters } = conditionSql(condition).compile(database)
  return { sql: sql.replace(/\s+/g, ' ').trim(), parameters }
}

const ELEMENTS = (holder: string, path: number, at: number) =>
  `exists (select from jsonb_path_query(${holder}, $${path}::jsonpath) as "element_${at}" where`

test.each<[Record<string, unknown>, string, unknown[]]>([
  [{ name: 'a' }, '"name" = any($1::text[])', [['a']]],
  [{ name: 'a*' }, '"name" like $1', ['a%']],
  [
    { name: ['a', 'b*', null, 'c'] },
    '("name" = any($1::text[]) or "name" like $2 or "name" is null)',
    [['a', 'c'], 'b%'],
  ],
  [{ description: null }, '"description" is null', []],
  [{ description: '' }, '("description" = any($1::text[]) or "description" is null)', [['']]],
  [{ description: '*' }, '("description" like $1 or "description" is null)', ['%']],
  [{ revision: 3 }, '"revision" = any($1::numeric[])', [[3]]],
  [
    { created: '2026-01-31T08:15:00.250+0100' },
    '"created" = any($1::timestamptz[])',
    [['2026-01-31T07:15:00.250Z']],
  ],
  [
    { updated: '2026-*.250+0000' },
    `to_char("updated" at time zone 'UTC', $1) like $2`,
    ['YYYY-MM-DD"T"HH24:MI:SS.MS"Z"', '2026-%.250Z'],
  ],
  [{ componentUnderTest: 'c' }, '(fields @> $1::jsonb)', ['{"componentUnderTest":"c"}']],
  [{ tags: 'x' }, '(fields @> $1::jsonb)', ['{"tags":["x"]}']],
  [
    { tags: ['x', 'y'] },
    '(fields @> $1::jsonb or fields @> $2::jsonb)',
    ['{"tags":["x"]}', '{"tags":["y"]}'],
  ],
  [{ tags: [] }, 'false', []],
  [
    { tags: 'x*' },
    `${ELEMENTS('"fields"', 1, 0)} (jsonb_typeof("element_0") = 'string' and "element_0" #>> '{}' like $2))`,
    ['$."tags"[*]', 'x%'],
  ],
  [
    { environment: null },
    `not ${ELEMENTS('"fields"', 1, 0)} "element_0" <> 'null')`,
    ['$."environment"[*]'],
  ],
  [
    { scenario: { timeoutMs: 5 } },
    `${ELEMENTS('"fields"', 1, 0)} (jsonb_typeof("element_0") = 'object' and ${ELEMENTS('"element_0"', 2, 1)} "element_1" = any($3::jsonb[]))))`,
    ['$."scenario"[*]', '$."timeoutMs"[*]', ['5']],
  ],
])('%j becomes %s', (filter, sql, parameters) => {
  expect(compiled(filter)).toEqual({ sql, parameters })
})

test.each<Record<string, unknown>>([
  { name: `'; drop table artifact; --` },
  { name: `*'; drop table artifact; --` },
  { scenario: { '"\'; drop table artifact': `'; drop table artifact; --` } },
  { scenario: { '"] ? (@ == "x") $': ['"]', '$.*'] } },
  { variables: { "a')": "b'" } },
])('nothing of %j gets into the text of the statement', (filter) => {
  const kind = 'variables' in filter ? ENVIRONMENT : TESTCASE
  const { sql } = compiled(filter, kind)
  expect(sql).not.toMatch(/drop|@ ==|a'\)|b'/)
})

test('a key is quoted in the path', () => {
  const { parameters } = compiled({ scenario: { '"]\\ $.x': 1 } })
  expect(parameters[1]).toBe('$."\\"]\\\\ $.x"[*]')
})
