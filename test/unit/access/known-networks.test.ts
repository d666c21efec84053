import { KnownNetworks } from '../../../subgraphs/accounts/sign-in/known-networks.ts'

const DAY_MS = 24 * 60 * 60_000

test('an account keeps its latest networks, and evicts none of another one', () => {
  const known = new KnownNetworks()
  known.add('ann', '192.0.2.1')
  for (let n = 0; n < 250; n++) known.add('bob', `198.51.100.${n}`)
  expect(known.has('ann', '192.0.2.1')).toBe(true)
  expect(known.has('bob', '198.51.100.229')).toBe(false)
  expect(known.has('bob', '198.51.100.230')).toBe(true)
})

test('networks are read back, as long as they would have been known', async () => {
  const known = new KnownNetworks()
  const now = Date.now()
  await known.recall(
    {
      signIns: async () => [
        { account: 'ann', address: '192.0.2.1', at: new Date(now - DAY_MS) },
        { account: 'ann', address: '192.0.2.2', at: new Date(now - 7 * DAY_MS) },
      ],
    },
    now,
  )
  expect(known.has('ann', '192.0.2.1')).toBe(true)
  expect(known.has('ann', '192.0.2.2')).toBe(false)
})
