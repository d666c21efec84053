import { compileQuery } from '../../../subgraphs/events/read/language/compile.ts'
import { parseQuery } from '../../../subgraphs/events/read/language/parse.ts'

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
])('%s in a query is the time %s', (time, iso) => {
  const [condition] = compileQuery(`firstSeenAt:>=${time}`, 'event')
  expect(condition?.parameters).toEqual([iso])
})
