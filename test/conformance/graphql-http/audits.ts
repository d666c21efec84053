import { serverAudits } from 'graphql-http'
import { product } from '../row.ts'

const audits = serverAudits({ url: () => product().graphql })

test('the suite has all audits of the specification', () => {
  expect(audits).toHaveLength(61)
})

test.each(audits.map(({ id, name, fn }) => [id, name, fn] as const))(
  '%s %s',
  async (_id, _name, audit) => {
    const { status, ...result } = await audit()
    expect({ status, reason: 'reason' in result ? result.reason : undefined }).toEqual({
      status: 'ok',
      reason: undefined,
    })
  },
)

test('an empty operationName by GET counts as absent', async () => {
  const response = await fetch(`${product().graphql}?query={__typename}&operationName=`)
  expect(response.status).toBe(200)
})

test.each<[string, Record<string, string>, number]>([
  ['of another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['of another site, sent by an older browser', { origin: 'https://elsewhere.example' }, 403],
  ['of the own site', { 'sec-fetch-site': 'same-origin' }, 200],
  ['of no site', {}, 200],
])('a query by GET %s', async (_whose, headers, status) => {
  const response = await fetch(`${product().graphql}?query={__typename}`, { headers })
  expect(response.status).toBe(status)
})
