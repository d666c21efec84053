import { type Data, type RunningEvents, runEvents } from '../../support/events/running-events.ts'

const PAGE_BYTES = 40_000
const EVENT_BYTES = 10_000
/** A page ends with the event that exceeds PAGE_BYTES. */
const ON_A_PAGE = 5
const TITLES = Array.from({ length: 12 }, (_, at) => `Large ${at}`)

let events: RunningEvents
beforeAll(async () => {
  events = await runEvents({ pageBytes: PAGE_BYTES })
  const message = 'x'.repeat(EVENT_BYTES - 1_000)
  for (const title of TITLES) await events.ingest([{ title, message }])
})
afterAll(() => events.stop())

const PAGE =
  'nodes { title } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount'

/** Follows a list to its end. @returns the titles of each page */
async function pagesOf(list: string, args: string, isBackward: boolean): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | null = null
  for (;;) {
    const place = cursor === null ? '' : `, ${isBackward ? 'before' : 'after'}: "${cursor}"`
    const size = isBackward ? 'last: 100' : 'first: 100'
    const data: Data = await events.run(`{ ${list}(${size}${args}${place}) { ${PAGE} } }`)
    const { nodes, pageInfo, totalCount } = data[list]
    expect(totalCount).toBe(TITLES.length)
    pages.push(nodes.map(({ title }: Data) => title))
    if (!(isBackward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return pages
    cursor = isBackward ? pageInfo.startCursor : pageInfo.endCursor
  }
}

test.each([
  ['events', '', false],
  ['events', '', true],
  ['events', ', query: "large"', false],
  ['events', ', query: "title:large*"', true],
  ['rawEvents', '', false],
  ['rawEvents', ', query: "large"', true],
])(
  'a page of %s(%s) ends by bytes, and the pages together hold every row once (backward: %s)',
  async (list, args, isBackward) => {
    const pages = await pagesOf(list, args, isBackward)
    expect(pages.map(({ length }) => length)).toEqual([ON_A_PAGE, ON_A_PAGE, 2])
    expect(pages.flat().toSorted()).toEqual(TITLES.toSorted())
  },
)

test('an operation that reads four times as much is refused, and says what to do', async () => {
  const lists = (count: number) =>
    `{ ${Array.from({ length: count }, (_, at) => `a${at}: events { totalCount nodes { message } }`)} }`
  const { errors } = await events.answer(lists(8))
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'OPERATION_LIMIT_EXCEEDED' })
  expect(errors?.[0]?.message).toBe(
    'The operation reads more than 160000 bytes, 4 times PAGE_BYTES: ask for fewer lists and smaller pages at a time, or have the operator raise the limit',
  )
  await events.run(lists(3))
})

test('the events of raw events count as well, and operations that are loaded together get theirs', async () => {
  const read = (first: number) =>
    `{ rawEvents(first: ${first}) { nodes { event { title message } } } }`
  const found = await Promise.all([read(5), read(4), read(5)].map((each) => events.run(each)))
  expect(found.map(({ rawEvents: { nodes } }) => nodes.length)).toEqual([5, 4, 5])
  const twice = `{ ${['a', 'b'].map((name) => `${name}: ${read(5).slice(1, -1)}`)} }`
  const { errors } = await events.answer(twice)
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'OPERATION_LIMIT_EXCEEDED' })
})
