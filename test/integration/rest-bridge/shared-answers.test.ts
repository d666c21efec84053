import { type ServedBridge, serveBridge } from './_support/served-bridge.ts'

/** What a run gives to all who share it. */
const data = { list: { nodes: [], totalCount: 30 }, executionResult: null }

let bridge: ServedBridge

beforeAll(async () => {
  bridge = await serveBridge(() => ({ data }))
})

afterAll(() => bridge.stop())

const linkOf = async (path: string) =>
  (await fetch(`${bridge.base}${path}`)).headers.get('link') ?? ''

test('callers with the same data get the answer of their own address', async () => {
  const [first, sorted, again] = [
    await linkOf('/suite?pageSize=10'),
    await linkOf('/suite?pageSize=10&sort=name'),
    await linkOf('/suite?pageSize=10'),
  ]
  expect(sorted).toContain('sort=name')
  expect(again).toBe(first)
  expect(first).not.toContain('sort')
})

test('callers with the same data get the answer of their own route', async () => {
  const count = await fetch(`${bridge.base}/suite/count`)
  const list = await fetch(`${bridge.base}/suite`)
  expect([await count.json(), await list.json()]).toEqual([30, []])
})

test('a failure is told to each of them', async () => {
  for (const id of ['a', 'a', 'b']) {
    const answer = await fetch(`${bridge.base}/result/${id}`)
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ message: expect.stringContaining(id) }),
    ])
  }
})
