import { listAnswer, parseCursorPage } from '../../../rest-bridge/cursor-pages.ts'
import type { RestRequest } from '../../../rest-bridge/route.ts'

const request = (query: Record<string, string>): RestRequest => ({
  path: '/api/v1/events',
  params: {},
  query,
  repeated: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
  headers: {},
  body: undefined,
})

test.each([
  [{}, { first: 50 }],
  [{ limit: '7' }, { first: 7 }],
  [
    { limit: '7', cursor: 'abc' },
    { first: 7, after: 'abc' },
  ],
  [{ cursor: '~abc' }, { last: 50, before: 'abc' }],
  [{ cursor: '' }, { first: 50 }],
])('%j is the page %j', (query, page) => {
  expect(parseCursorPage(request(query as Record<string, string>))).toEqual(page)
})

const pageInfo = { hasNextPage: true, hasPreviousPage: true, startCursor: 'one', endCursor: 'nine' }

test('links keep the query, lead both ways, and can be followed', () => {
  const q = 'title:"a, b" AND tags:<x>'
  const listed = { nodes: [1, 2], totalCount: 40, isTotalCountEstimated: false, pageInfo }
  const { body, headers } = listAnswer(listed, request({ q, limit: '2', cursor: 'old' }), String)
  expect(body).toEqual({ counts: { total: 40 }, items: ['1', '2'] })
  const links = [
    ...(headers?.Link ?? '').matchAll(/<\/api\/v1\/events\?([^<>\s"]+)>; rel="(\w+)"/g),
  ]
  expect(
    links.map(([, query, relation]) => [relation, Object.fromEntries(new URLSearchParams(query))]),
  ).toEqual([
    ['first', { q, limit: '2' }],
    ['prev', { q, limit: '2', cursor: '~one' }],
    ['next', { q, limit: '2', cursor: 'nine' }],
  ])
})

test('a list that is all there has no neighbours', () => {
  const nowhere = { ...pageInfo, hasNextPage: false, hasPreviousPage: false }
  const { headers } = listAnswer(
    { nodes: [], totalCount: 0, isTotalCountEstimated: false, pageInfo: nowhere },
    request({}),
    String,
  )
  expect(headers).toEqual({ Link: '</api/v1/events>; rel="first"' })
})

test('a total that is an estimate is marked, and one that is exact is not', () => {
  const listed = { nodes: [], totalCount: 40, pageInfo }
  const marked = (isTotalCountEstimated: boolean) =>
    listAnswer({ ...listed, isTotalCountEstimated }, request({}), String).headers
  expect(marked(true)).toMatchObject({ 'X-Total-Count-Estimated': 'true' })
  expect(marked(false)).not.toHaveProperty('X-Total-Count-Estimated')
})
