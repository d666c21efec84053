import { type ServedBridge, serveBridge } from '../../support/rest-bridge/served-bridge.ts'

/** Data of a run for all who share it. */
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

test('what comes in pieces is made once for callers who come meanwhile', async () => {
  const result = {
    ...{ id: 'r', type: 'TEST', contextId: 'c', state: 'COMPLETED', message: '', executedBy: 'me' },
    ...{ started: '2026-01-31T08:15:00.250Z', ended: '2026-01-31T08:15:01.000Z' },
    ...{ validationFailures: [], useCodeCoverage: false, codeCoverage: [] },
  }
  let made = 0
  const testCaseResults = {
    *[Symbol.iterator]() {
      made++
      for (let at = 0; at < 20_000; at++) yield result
    },
  }
  const shared = { executionResult: { ...result, testCaseResults } }
  const other = await serveBridge(() => ({ data: shared }))
  const texts = await Promise.all(
    Array.from({ length: 4 }, async () => (await fetch(`${other.base}/result/r/details`)).text()),
  )
  expect(new Set(texts).size).toBe(1)
  expect(JSON.parse(texts[0] ?? '').testCaseResults).toHaveLength(20_000)
  expect(made).toBe(1)
  await other.stop()
})
