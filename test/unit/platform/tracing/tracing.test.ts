import { summaryOf } from '../../../../platform/tracing/sql-spans.ts'
import {
  currentIds,
  idsOf,
  inSpan,
  inTrace,
  startSpan,
  traceparentFrom,
  traceparentOf,
} from '../../../../platform/tracing/trace.ts'

const GIVEN = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

test('a traceparent is taken apart and put together', () => {
  expect(traceparentOf(GIVEN)).toBe(GIVEN)
  expect(traceparentFrom(idsOf(GIVEN))).toBe(GIVEN)
})

test.each([
  ['nothing', undefined],
  ['another version', GIVEN.replace(/^00/, 'ff')],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`],
  ['a span id of zeros', `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`],
  ['capital letters', GIVEN.toUpperCase()],
  ['something behind it', `${GIVEN}-more`],
  ['a line break', `${GIVEN}\n`],
])('%s is no traceparent', (_, text) => {
  expect(traceparentOf(text)).toBeUndefined()
})

test.each([
  ['insert into "events"."raw_event" ("id") values (\'secret\')', 'INSERT events.raw_event'],
  ["select * from artifact where name = 'secret'", 'SELECT artifact'],
  ["  update test_execution.execution set state = 'x'", 'UPDATE test_execution.execution'],
  ['begin', 'BEGIN'],
  ['', 'SQL'],
])('of the statement %j a span shows %j', (text, summary) => {
  expect(summaryOf(text)).toBe(summary)
})

test('without a tracer there are no spans, and ids of a request go through', async () => {
  expect(startSpan('POST /', { isRoot: true })).toBeUndefined()
  const ids = { requestId: 'r-1', traceparent: GIVEN }
  const seen = await inTrace(ids, () =>
    inSpan('step', {}, async (span) => ({ span, ...currentIds() })),
  )
  expect(seen).toEqual({ span: undefined, ...ids })
})
