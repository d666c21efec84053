import fc from 'fast-check'
import { EventsParser, TOO_DEEP, TOO_LARGE } from '../../../rest-bridge/ingestion/events-parser.ts'

/** More than is parsed as a whole. */
const PADDING = ' '.repeat(70_000)
const LIMIT = 100_000

/** Events of a body that arrives in pieces of a size. */
function eventsOf(body: string | Buffer, pieceBytes = 2 ** 25, limit = LIMIT): unknown[] {
  const parser = new EventsParser(limit)
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += pieceBytes)
    parser.add(bytes.subarray(at, at + pieceBytes))
  return parser.finish().flat()
}

const refusal = (body: string | Buffer, limit?: number): unknown => {
  try {
    return eventsOf(body, undefined, limit)
  } catch (error) {
    return error
  }
}

const MALFORMED = { code: 'BAD_USER_INPUT', message: 'The request body is not valid JSON' }

test('whatever the pieces, it reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 30 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 5_000 }),
      (given, isLarge, pieceBytes) => {
        const events = isLarge ? [...Array(3).fill('x'.repeat(25_000)), ...given] : given
        const body = `${JSON.stringify(events, null, 2)} \n`
        expect(eventsOf(body, pieceBytes)).toEqual(JSON.parse(body))
      },
    ),
    { numRuns: 200 },
  )
})

/** White space that a client may put between any two tokens, and event texts whose parts end by bytes and by number. */
const blank = fc.stringMatching(/^[ \n\t\r]{0,3}$/)
const bulk = fc.record({
  large: fc.array(fc.integer({ min: 10_000, max: 30_000 }), { minLength: 50, maxLength: 120 }),
  small: fc.integer({ min: 0, max: 2_500 }),
  digits: fc.integer({ min: 1, max: 900 }),
  isTooLarge: fc.boolean(),
})

test('whatever the pieces and the white space, the parts are the same', () => {
  fc.assert(
    fc.property(
      bulk,
      blank,
      fc.constantFrom(0, 70_000, 200_000),
      fc.array(fc.integer({ min: 1, max: 150_000 }), { minLength: 1, maxLength: 5 }),
      ({ large, small, digits, isTooLarge }, space, padding, pieces) => {
        const events = [
          ...large.map((length, n) => `{"n":${n},"text":"${'\\"x'.repeat(length / 3)}"}`),
          ...Array.from({ length: small }, (_, n) => `{"n":${n}.${'0'.repeat(digits % 40)}5}`),
          `{"title":"${'x'.repeat(isTooLarge ? 300_000 : 1)}"}`,
          `{"n":1.${'0'.repeat(digits)}}`,
        ]
        const compact = partsOf(`[${events.join()}]`, [2 ** 25])
        const spaced = events.map((event) => event.replace(':', `${space}:${space}`))
        const pad = ' '.repeat(padding)
        const body = `${space}[${pad}${spaced.join(`${space},${space}`)}${pad}]${space}`
        expect(partsOf(body, pieces)).toEqual(compact)
      },
    ),
    { numRuns: 30 },
  )
})

/** Numbers of events in each part of a body that arrives in pieces of sizes in turn. */
function partsOf(body: string, pieces: readonly number[]): number[] {
  const parser = new EventsParser(LIMIT)
  const bytes = Buffer.from(body)
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = pieces[n % pieces.length] as number
    parser.add(bytes.subarray(at, at + size))
    at += size
  }
  return parser.finish().map(({ length }) => length)
}

test('many events are read in slices, and come in order', () => {
  const events = Array.from({ length: 20_000 }, (_, n) => ({ title: `Disk ${n}, [{"ü\\` }))
  expect(eventsOf(JSON.stringify(events), 1_000)).toEqual(events)
})

test('a single event may be padded', () => {
  expect(eventsOf(`\uFEFF${PADDING}{"title":"One"}${PADDING}`)).toEqual([{ title: 'One' }])
  expect(eventsOf(`\uFEFF${PADDING}[{"title":"One"}]${PADDING}`)).toEqual([{ title: 'One' }])
  expect(eventsOf(`${PADDING}[${PADDING}]`)).toEqual([])
})

test('an empty body, and one that is not in UTF-8, are named as such', () => {
  expect(refusal('')).toMatchObject({ message: 'The request body is empty' })
  const latin1 = Buffer.from('{"title":"Größe"}', 'latin1')
  for (const body of [latin1, Buffer.concat([Buffer.from(PADDING), latin1])])
    expect(refusal(body)).toMatchObject({ message: 'The request body is not in UTF-8' })
})

test.each([
  '[',
  '[1',
  '[1,',
  '[1,]',
  '[,1]',
  '[,]',
  '[1,,2]',
  '[1}',
  '[1]]',
  '[1],[2]',
  '[1] 2',
  '{"a":1}{}',
  '[{]',
  '["a',
  '[1 2]',
  '{"a":1},',
])('refuses %j', (body) => {
  expect(refusal(body)).toMatchObject({
    ...MALFORMED,
    message: expect.stringContaining(MALFORMED.message),
  })
  expect(refusal(PADDING + body)).toMatchObject(MALFORMED)
})

test('an event that is too large, or too deep, is replaced by one that is refused alike', () => {
  const large = `{"title":"${'x'.repeat(300_000)}"}`
  const deep = `{"title":"Deep","properties":{"a":${'['.repeat(300)}${']'.repeat(300)}}}`
  const small = '{"title":"Small"}'
  const body = `[${[small, large, small, deep, large, large, small].join()}]`
  const expected = [{ title: 'Small' }, TOO_LARGE, { title: 'Small' }, TOO_DEEP]
  for (const pieceBytes of [1_000, 70_000, 1_000_000])
    expect(eventsOf(body, pieceBytes)).toEqual([
      ...expected,
      TOO_LARGE,
      TOO_LARGE,
      { title: 'Small' },
    ])
  expect(eventsOf(`{"title":"${'x'.repeat(300_000)}"}`)).toEqual([TOO_LARGE])
})

test('a fault within an event that is too large is one of the body', () => {
  const large = `"message":"${'x'.repeat(70_000)}"`
  const bodies = [
    `[{"title":"a"},{${large} oops}]`,
    `[{"title":"a"},{${large}]]`,
    `[{"title":"a"},{${large},"b":"\n"},{}]`,
    `[{"title":"a","b":${'['.repeat(300)}${']'.repeat(299)},${large}}]`,
    `{${large}`,
    `{${large}} junk`,
  ]
  for (const body of bodies)
    for (const pieceBytes of [1_000, 70_000, 1_000_000])
      expect(() => eventsOf(body, pieceBytes)).toThrow(MALFORMED.message)
})

test('nothing is kept of an event that is far too large', () => {
  const body = `[{"title":"a"},{"message":"${'x'.repeat(3_000_000)}"}, {"title":"b"}]`
  for (const pieceBytes of [1_000, 70_000, 2 ** 25])
    expect(eventsOf(body, pieceBytes)).toEqual([{ title: 'a' }, TOO_LARGE, { title: 'b' }])
})

test('an event of exactly 256 KiB is none that is too large, however it is written', () => {
  const event = { title: 'Large', message: 'x'.repeat(262_144 - 36), n: 1 }
  const text = JSON.stringify(event)
  expect(text).toHaveLength(262_144)
  const written = [
    text,
    JSON.stringify(event, null, 2_000),
    text.replaceAll('x', '\\u0078'),
    text.replace('"n":1', `"n":1.${'0'.repeat(900)}`),
  ]
  expect(eventsOf(`[${written.join()},${text}]`)).toEqual(Array(5).fill(event))
})

test('the events of a call, and its values, are counted before they are parsed', () => {
  const fault = {
    code: 'PAYLOAD_TOO_LARGE',
    message: expect.stringContaining('EVENTS_CALL_EVENTS'),
  }
  expect(refusal('[1,2,3]', 3)).toHaveLength(3)
  expect(refusal('[1,2,3,4]', 3)).toMatchObject(fault)
  expect(refusal(`${PADDING}[1,2,3]`, 3)).toHaveLength(3)
  expect(refusal(`${PADDING}[1,2,3,4,`, 3)).toMatchObject(fault)
  expect(refusal(`[{"a":[${'1,'.repeat(4_100_000)}`)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})
