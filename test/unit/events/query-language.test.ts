import { compileQuery } from '../../../platform/event-query/compile.ts'
import { parseQuery } from '../../../platform/event-query/parse.ts'
import { readRelative } from '../../../platform/event-query/relative-time.ts'

/** Without the places of its parts. */
const parsed = (text: string): unknown =>
  JSON.parse(
    JSON.stringify(parseQuery(text), (key, value) => (key === 'offset' ? undefined : value)),
  )

test.each([
  ['_exists_:tags', 'tags:*'],
  ['_exists_:"properties.a b"', 'properties.a\\ b:*'],
  ['-_exists_:properties.a', 'NOT properties.a:*'],
  ['_exists_:(message OR tags)', 'message:* OR tags:*'],
  ['properties.a:>90', 'properties.a:{90 TO *}'],
  ['properties.a:>=90', 'properties.a:[90 TO *}'],
  ['properties.a:<-0.5', 'properties.a:{* TO -0.5}'],
  ['properties.a:(>1 AND <=9)', 'properties.a:{1 TO *} AND properties.a:{* TO 9]'],
  ['lastSeenAt:>2026-11-20T12:00:00Z', 'lastSeenAt:{2026-11-20T12:00:00Z TO *}'],
  ['lastSeenAt:<="2026-11-20"', 'lastSeenAt:{* TO 2026-11-20]'],
])('%s means %s', (query, same) => {
  expect(parsed(query)).toEqual(parsed(same))
})

test.each([
  ['disk - full', 'disk full'],
  ['title:(disk - full)', 'title:(disk full)'],
  ['- disk', 'disk'],
  ['disk ! full', 'disk full'],
  ['disk + full', 'disk full'],
  ['disk -', 'disk'],
  ['disk => "-" full', 'disk "-" full'],
  ['a OR - b', 'a OR b'],
  ['severity : ERROR', 'severity:ERROR'],
  ['severity :ERROR', 'severity:ERROR'],
  ['status : (OPEN OR CLOSED)', 'status:(OPEN OR CLOSED)'],
  ['NOT a AND b OR c', '((NOT a) AND b) OR c'],
  ['a OR b c', 'a OR (b AND c)'],
  ['-disk !full', 'NOT disk NOT full'],
])('%s means %s, too', (query, same) => {
  expect(parsed(query)).toEqual(parsed(same))
})

test.each(['-', '=>', '- !'])('%s alone is looked for', (query) => {
  expect(JSON.stringify(parsed(query))).toContain('"term"')
})

test.each([
  ['status:!OPEN', 8, '! stands before the field, as in !status:…'],
  ['a severity:-CRITICAL', 12, '- stands before the field, as in -severity:…'],
  ['status:+OPEN', 8, '+ stands before the field, as in +status:…'],
  ['status:NOT OPEN', 8, 'NOT stands before the field, as in NOT status:…'],
  ['status:AND', 8, 'a value is missing before AND'],
  ['AND disk', 1, 'AND stands between two conditions'],
  ['|| disk', 1, '|| stands between two conditions'],
  ['a OR OR b', 6, 'OR stands between two conditions'],
  ['a AND OR b', 7, 'OR stands between two conditions'],
  ['NOT AND b', 5, 'AND stands between two conditions'],
  ['(OR a)', 2, 'OR stands between two conditions'],
  ['tags:(AND a)', 7, 'AND stands between two conditions'],
])('%s is refused at character %d: an operator cannot stand there', (query, position, message) => {
  expect(() => parseQuery(query)).toThrow(`The query (q) is wrong at character ${position}: `)
  expect(() => parseQuery(query)).toThrow(message)
})

test.each([
  'properties.a:-5',
  'properties.a:-.5',
  'properties.a:+49',
  'title:"+x"',
  'status:"NOT"',
  'title:"-x"',
  'and or',
  'ANDY',
])('%s is taken', (query) => {
  expect(() => parseQuery(query)).not.toThrow()
})

test('*:* matches everything, also beside others and negated', () => {
  const all = { kind: 'all' }
  expect(parsed('*:*')).toEqual(all)
  expect(parsed('*:* -a')).toMatchObject({ kind: 'and', parts: [all, { kind: 'not' }] })
})

test.each([
  ['/dis.*/', 1, 'regular expressions'],
  ['title:/joh?n(ath[oa]n)/', 7, 'regular expressions'],
  ['disk~', 5, '~'],
  ['disk~2', 5, '~'],
  ['title:disk~0.8', 11, '~'],
  ['"disk full"~3', 12, '~'],
  ['disk^2', 5, '^'],
  ['disk~1^2', 5, '~'],
  ['"disk full"^1.5', 12, '^'],
  ['(a b)^2', 6, '^'],
  ['timesSeen:[1 TO 2]^2', 19, '^'],
  ['_exists_:properties.*', 10, 'wildcards'],
])('%s is refused at character %d for its %s', (query, position, words) => {
  expect(() => parseQuery(query)).toThrow(`The query (q) is wrong at character ${position}: `)
  expect(() => parseQuery(query)).toThrow(words)
})

test.each([
  ['foo:bar', 1, 'there is no field foo'],
  ['status:OPEN AND -foo:>3', 18, 'there is no field foo'],
  ['title:a foo:("b" OR c)', 9, 'there is no field foo'],
  ['_exists_:(title OR foo)', 20, 'there is no field foo'],
  ['timesSeen:many', 11, 'timesSeen cannot be compared with that'],
  [
    'severity:>=HIGH',
    10,
    'severity cannot be compared with that; the order is INFO < WARN < ERROR < CRITICAL',
  ],
  ['severity:[info TO W*]', 10, 'severity cannot be compared with that; the order is INFO < WARN'],
])('%s is refused at character %d: %s', (query, position, message) => {
  expect(() => compileQuery(query, 'event')).toThrow(
    `The query (q) is wrong at character ${position}: ${message}`,
  )
})

test.each([
  '/var/log/syslog',
  '/var/log/',
  '/healthz',
  'a/b/',
  '~/bin',
  'http://host/~user',
  'a~b',
  '^start',
  'a^b',
  '<init>',
  '->',
  '>5',
  '>',
  '\\/a\\/',
  'disk\\~2',
  'disk\\^2',
])('%s is a plain word', (text) => {
  expect(parsed(text.replaceAll(':', '\\:'))).toMatchObject({
    kind: text === '->' ? 'not' : 'term',
  })
})

test.each(['/a/', 'disk~2', 'disk^2', '>90', '*:*'])('%s in quotation marks is text', (text) => {
  expect(parsed(`title:"${text}"`)).toEqual({
    kind: 'term',
    field: { name: 'title' },
    word: { text, like: null },
  })
})

test.each([
  ['firstSeenAt:>=2027', 13],
  ['lastSeenAt:>20270101', 12],
  ['lastSeenAt:[2026-11-20 TO 2027]', 12],
  ['firstSeenAt:2027', 13],
  ['firstSeenAt:<-1.5', 13],
  ['firstSeenAt:>"2027 "', 13],
  ['occurredAt:>2027', 12],
  ['firstSeenAt:>2026-11', 13],
  ['firstSeenAt:2026*', 13],
])('%s is refused at character %d, as it is no time', (query, position) => {
  expect(() => compileQuery(query, 'raw')).toThrow(
    new RegExp(`at character ${position}: .*times are ISO 8601 .* at least 9 digits$`),
  )
})

test.each([
  ['1506251154', '2017-09-24T11:05:54.000Z'],
  ['150625115', '1974-10-10T08:18:35.000Z'],
  ['1506251154123', '2017-09-24T11:05:54.123Z'],
  ['20170924T110554Z', '2017-09-24T11:05:54.000Z'],
  ['2017-267', '2017-09-24T00:00:00.000Z'],
  ['1506251154123456789', '2017-09-24T11:05:54.123Z'],
])('%s in a query is the time %s', (time, iso) => {
  const [condition] = compileQuery(`firstSeenAt:>=${time}`, 'event')
  expect(condition?.parameters).toEqual([iso])
})

test.each([
  ['2017-09-24', '2017-09-24T00:00:00.000Z', '2017-09-25T00:00:00.000Z'],
  ['2017-267', '2017-09-24T00:00:00.000Z', '2017-09-25T00:00:00.000Z'],
  ['2017-W38-7', '2017-09-24T00:00:00.000Z', '2017-09-25T00:00:00.000Z'],
  ['2017W387', '2017-09-24T00:00:00.000Z', '2017-09-25T00:00:00.000Z'],
])('%s in a query is the whole day', (day, from, to) => {
  const [condition] = compileQuery(`firstSeenAt:${day}`, 'event')
  expect(condition?.parameters).toEqual([from, to])
  const [later] = compileQuery(`firstSeenAt:>${day}`, 'event')
  expect(later).toMatchObject({ sql: expect.stringContaining('>='), parameters: [to] })
})

test.each([
  ['now', '2026-03-31T12:34:56.789Z', null],
  ['now-15m', '2026-03-31T12:19:56.789Z', null],
  ['now-1h', '2026-03-31T11:34:56.789Z', null],
  ['now-7d', '2026-03-24T12:34:56.789Z', null],
  ['now+1w-1s', '2026-04-07T12:34:55.789Z', null],
  ['now-1M', '2026-02-28T12:34:56.789Z', null],
  ['now-1y', '2025-03-31T12:34:56.789Z', null],
  ['now/d', '2026-03-31T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
  ['now-1d/h', '2026-03-30T12:00:00.000Z', '2026-03-30T13:00:00.000Z'],
  ['now/w', '2026-03-30T00:00:00.000Z', '2026-04-06T00:00:00.000Z'],
  ['now/M', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
  ['now-1y/y', '2025-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ['now-1H', '2026-03-31T11:34:56.789Z', null],
  ['now-d', '2026-03-30T12:34:56.789Z', null],
  ['now/d+8h', '2026-03-31T08:00:00.000Z', null],
  ['now/M-1d/d', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['now-999999y', '0001-01-01T00:00:00.000Z', null],
  ['now+999999w', '9999-12-31T00:00:00.000Z', null],
])('%s is %s, up to %s', (text, from, to) => {
  const read = readRelative(text, Date.parse('2026-03-31T12:34:56.789Z'))
  expect(read?.from.toISOString()).toBe(from)
  expect(read?.to?.toISOString() ?? null).toBe(to)
})

test.each(['now-', 'now-1', 'now-1x', 'nowhere', 'now/', 'now1h', 'NOW'])(
  '%s is no time',
  (text) => {
    expect(() => compileQuery(`lastSeenAt:>${text}`, 'event')).toThrow('times are ISO 8601')
  },
)

test('relative times stand in ranges and comparisons', () => {
  const [range] = compileQuery('lastSeenAt:[now-1h TO now]', 'event')
  const [from, to] = (range?.parameters ?? []).map((time) => Date.parse(String(time)))
  expect(Number(to) - Number(from)).toBeGreaterThanOrEqual(3_600_000 - 1_000)
  const [today] = compileQuery('lastSeenAt:now/d', 'event')
  expect(today?.parameters).toHaveLength(2)
})
