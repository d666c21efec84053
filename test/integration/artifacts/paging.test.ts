import {
  type Data,
  type RunningArtifacts,
  refusal,
  runArtifacts,
} from '../../support/artifacts/running-artifacts.ts'

const SMALL = 30

let repository: RunningArtifacts
beforeAll(async () => {
  repository = await runArtifacts()
  for (let at = 0; at < SMALL; at++)
    await repository.create('Suite', {
      id: `s${String(at).padStart(2, '0')}`,
      name: `suite ${at % 7} of ${at}`,
      description: at % 3 === 0 ? null : `${at % 4}`,
      haltAtFailure: at % 2 === 0,
      maxParallel: (at % 5) + 1,
    })
})
afterAll(() => repository.stop())

const PAGE = `query ($sort: [SortInput!], $first: Int, $after: String, $last: Int, $before: String, $offset: Int) {
  suites(sort: $sort, first: $first, after: $after, last: $last, before: $before, offset: $offset) {
    totalCount edges { cursor node { id } } nodes { id }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`

const page = async (variables: object): Promise<Data> =>
  (await repository.run(PAGE, { ...variables })).suites
const idsOf = (list: Data): string[] => list.nodes.map(({ id }: Data) => id)

const ORDERS: [object[]][] = [
  [[]],
  [[{ attribute: 'id', direction: 'DESC' }]],
  [[{ attribute: 'name' }]],
  [[{ attribute: 'description' }, { attribute: 'maxParallel', direction: 'DESC' }]],
  [[{ attribute: 'description', direction: 'DESC' }]],
  [[{ attribute: 'haltAtFailure' }, { attribute: 'description' }]],
  [[{ attribute: 'created', direction: 'DESC' }]],
  [[{ attribute: 'testCases' }, { attribute: 'revision' }]],
]

test.each(ORDERS)('pages by cursor are the whole list, sorted by %j', async (sort) => {
  const whole = idsOf(await page({ sort, first: 1000 }))
  expect(new Set(whole).size).toBe(SMALL)
  const walked: string[] = []
  for (let after: string | null = null; ; ) {
    const { pageInfo, ...list } = await page({ sort, first: 7, after })
    expect(list.totalCount).toBe(SMALL)
    expect(list.edges.map(({ node }: Data) => node)).toEqual(list.nodes)
    expect(pageInfo).toMatchObject({
      hasPreviousPage: after !== null,
      hasNextPage: walked.length + list.nodes.length < SMALL,
      startCursor: list.edges[0].cursor,
      endCursor: list.edges.at(-1).cursor,
    })
    walked.push(...idsOf(list))
    if (!pageInfo.hasNextPage) break
    after = pageInfo.endCursor
  }
  expect(walked).toEqual(whole)
  const offsets = await Promise.all(
    [0, 7, 14, 21, 28].map((offset) => page({ sort, first: 7, offset })),
  )
  expect(offsets.flatMap(idsOf)).toEqual(whole)
})

test.each(ORDERS)('pages from the end are the same list, sorted by %j', async (sort) => {
  const whole = idsOf(await page({ sort, first: 1000 }))
  const walked: string[] = []
  for (let before: string | null = null; ; ) {
    const { pageInfo, ...list } = await page({ sort, last: 7, before })
    expect(list.totalCount).toBe(SMALL)
    walked.unshift(...idsOf(list))
    expect(pageInfo).toMatchObject({
      hasNextPage: before !== null,
      hasPreviousPage: walked.length < SMALL,
    })
    if (!pageInfo.hasPreviousPage) break
    before = pageInfo.startCursor
  }
  expect(walked).toEqual(whole)
})

test('behind the end there is an empty page', async () => {
  const empty = { startCursor: null, endCursor: null, hasNextPage: false, hasPreviousPage: true }
  expect(await page({ offset: 2 ** 31 - 1 })).toEqual({
    totalCount: SMALL,
    edges: [],
    nodes: [],
    pageInfo: empty,
  })
})

const cursor = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url')

test.each<[object, string | RegExp]>([
  [{ first: 0 }, 'first: expected 1 to 1000, not 0'],
  [{ first: 1001 }, 'first: expected 1 to 1000, not 1001'],
  [{ offset: -1 }, 'offset: expected 0 or more, not -1'],
  [{ last: 0 }, 'last: expected 1 to 1000, not 0'],
  [{ last: 2, first: 2 }, 'Give either first and after, or last and before'],
  [{ last: 2, offset: 2 }, 'offset: goes with first and after, not with last and before'],
  [{ after: '' }, /^The cursor does not belong/],
  [{ after: 'nonsense' }, /^The cursor does not belong/],
  [{ after: cursor(['s01', 's01']) }, /^The cursor does not belong/],
  [{ after: cursor([null]) }, /^The cursor does not belong/],
  [
    { after: cursor([null, 's01']), sort: [{ attribute: 'description' }] },
    /^The cursor does not belong/,
  ],
  [{ after: cursor(['a\0']) }, /^The cursor does not belong/],
  [
    { after: cursor(['{"a":1e999}', 's01']), sort: [{ attribute: 'testCases' }] },
    /^The cursor does not belong/,
  ],
  [
    { after: cursor(['"\\u0000"', 's01']), sort: [{ attribute: 'testCases' }] },
    /^The cursor does not belong/,
  ],
  [
    { after: cursor(['2026', 's01']), sort: [{ attribute: 'created' }] },
    /^The cursor does not belong/,
  ],
  [
    { after: cursor(['2026-02-30T00:00:00.000Z', 's01']), sort: [{ attribute: 'created' }] },
    /^The cursor does not belong/,
  ],
  [{ sort: Array(17).fill({ attribute: 'name' }) }, 'sort: expected at most 16 attributes'],
])('%j is refused: %s', async (variables, message) => {
  await expect(page(variables)).rejects.toMatchObject(refusal('BAD_USER_INPUT', message))
})

test('a place outlives the artifact that it was taken from', async () => {
  const { edges } = await page({ first: 3 })
  await repository.run(`mutation { deleteSuite(id: "s02") }`)
  expect(idsOf(await page({ first: 2, after: edges[2].cursor }))).toEqual(['s03', 's04'])
  await repository.create('Suite', { id: 's02', name: 'again' })
})
