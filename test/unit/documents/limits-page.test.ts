import { readFileSync } from 'node:fs'
import { MAX_EVENT_BYTES } from '../../../formats/event-limits.ts'
import {
  MAX_IMPORT_DURATION_MS,
  MAX_TEST_LOG,
  MAX_TEST_MESSAGE,
} from '../../../formats/import-limits.ts'
import { MAX_DIGITS } from '../../../formats/json/exact-number.ts'
import { STRANGER_MAX_BYTES } from '../../../gateway/http/graphql/params.ts'
import { LOAD_LIMITS } from '../../../platform/load/limits.ts'
import { MAX_PROPERTIES, MAX_TAGS } from '../../../subgraphs/events/ingestion/validate.ts'

const rows = readFileSync('docs/reference/limits.md', 'utf8').split('\n')
const grouped = (number: number) => number.toLocaleString('en').replaceAll(',', ' ')
const WEEK_MS = 7 * 24 * 60 * 60_000

test.each([
  ['an event, as compact JSON', [MAX_EVENT_BYTES]],
  ['properties, tags of an event', [MAX_PROPERTIES, MAX_TAGS]],
  ['digits of a number in an event', [MAX_DIGITS]],
  ['queries, mutations and subscriptions that open', [LOAD_LIMITS.socketOperations.most]],
  ['requests that wait for those before them', [LOAD_LIMITS.pipelined.most]],
  ['an import of results', [MAX_TEST_MESSAGE, MAX_TEST_LOG]],
])('the page of fixed limits has what the code has: %s', (what, limits) => {
  const row = rows.find((each) => each.startsWith(`| ${what}`))
  expect(limits.filter((limit) => !row?.split('|')[2]?.includes(grouped(limit)))).toEqual([])
})

test('the page of fixed limits has what the code has, in words and other units', () => {
  expect(MAX_IMPORT_DURATION_MS).toBe(WEEK_MS)
  expect(rows.find((row) => row.startsWith('| an import of results'))).toContain('a week')
  const strangers = rows.find((row) => row.startsWith('| WebSocket messages before'))
  expect(strangers).toContain(`| ${STRANGER_MAX_BYTES / 1024} KiB |`)
})
