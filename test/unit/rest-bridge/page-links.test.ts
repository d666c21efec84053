import { linkHeader, pageLinks } from '../../../rest-bridge/page-links.ts'

const header = (links: Parameters<typeof linkHeader>[0]): string => linkHeader(links).Link ?? ''

const pages = (pageNumber: number, pageSize: number, total: number): Record<string, string> =>
  Object.fromEntries(
    [
      ...header(
        pageLinks('/api/suite', { other: ['1'] }, { pageNumber, pageSize }, total),
      ).matchAll(/<\/api\/suite\?pageNumber=(\d+)&pageSize=\d+>; rel="(\w+)"/g),
    ].map(([, page = '', relation = '']) => [relation, page]),
  )

test.each<[number, number, number, Record<string, string>]>([
  [0, 10, 0, { first: '0', last: '0' }],
  [0, 10, 10, { first: '0', last: '0' }],
  [0, 10, 11, { first: '0', next: '1', last: '1' }],
  [1, 10, 30, { first: '0', prev: '0', next: '2', last: '2' }],
  [2, 10, 30, { first: '0', prev: '1', last: '2' }],
  [9, 10, 30, { first: '0', prev: '2', last: '2' }],
])('page %i of %i items each among %i', (pageNumber, pageSize, total, expected) => {
  expect(pages(pageNumber, pageSize, total)).toEqual(expected)
})

test('links keep filter and order, and nothing in them ends a link', () => {
  const query = { filter: ['{"name":"a>; rel=\\"x\\", <b"}'], sort: ['name, asc', 'id'] }
  const link = header(pageLinks('/api/suite', query, { pageNumber: 0, pageSize: 5 }, 3))
  const [, address = ''] = /^<([^<>"\s]+)>; rel="first", <[^<>"\s]+>; rel="last"$/.exec(link) ?? []
  const { searchParams } = new URL(address, 'http://host')
  expect(searchParams.getAll('sort')).toEqual(query.sort)
  expect(searchParams.getAll('filter')).toEqual(query.filter)
})

test.each([
  [100, ['first', 'prev', 'next', 'last']],
  [1_800, ['first', 'prev', 'next']],
  [4_000, ['next']],
  [9_000, []],
])('of links of %i characters those fit a header: %j', (length, relations) => {
  const address = `/api/suite?filter=${'x'.repeat(length)}`
  const links = { first: address, prev: address, next: address, last: address }
  expect([...header(links).matchAll(/rel="(\w+)"/g)].map(([, relation]) => relation)).toEqual(
    relations,
  )
})
