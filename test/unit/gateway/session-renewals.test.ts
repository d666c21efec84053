import { SessionRenewals } from '../../../gateway/sign-in/session-renewals.ts'
import { AppError } from '../../../schema/errors.ts'
import type { RenewalClaim } from '../../../subgraphs/platform/access/session-grant.ts'

const CLAIMS = { sub: '4711', user: 'ada', roles: ['runner'] }
const GRANT = { refreshToken: 'next', claims: CLAIMS, renewInMs: 1, lastsMs: 2 }

/** @param claims what the accounts subgraph answers in turn */
function start(claims: RenewalClaim[], renewed: () => Promise<unknown>) {
  const asked: string[] = []
  const used: unknown[] = []
  const renewals = new SessionRenewals({
    async renew(...given) {
      used.push(given)
      await renewed()
      return { identity: { user: 'ada', permissions: [] }, grant: GRANT }
    },
  })
  const renew = () =>
    renewals.renew('secret', async (document) => {
      const [, name = ''] = /\{ (\w+)/.exec(document) ?? []
      asked.push(name)
      return { [name]: name === 'claimSessionRenewal' ? claims.shift() : true }
    })
  return { renew, asked, used }
}

const mine: RenewalClaim = { state: 'granted', refreshToken: 'first', claims: CLAIMS, until: 7 }

test('requests at the same time ask the issuer once', async () => {
  const { renew, asked, used } = start([mine], async () => {})
  await Promise.all([renew(), renew(), renew()])
  expect(asked).toEqual(['claimSessionRenewal', 'renewSession'])
  expect(used).toEqual([['first', CLAIMS]])
})

test('while another process asks, a request waits for it', async () => {
  const { renew, asked, used } = start([{ state: 'held' }, { state: 'renewed' }], async () => {})
  await renew()
  expect(asked).toEqual(['claimSessionRenewal', 'claimSessionRenewal'])
  expect(used).toEqual([])
})

test('a session that the issuer refuses ends; one that it cannot judge now does not', async () => {
  const refused = start([mine], async () => {
    throw new AppError('UNAUTHENTICATED', 'The account is closed')
  })
  await refused.renew()
  expect(refused.asked).toEqual(['claimSessionRenewal', 'endRefusedSession'])

  const away = start([mine, mine], async () => {
    throw new AppError('OVERLOADED', 'The issuer is away')
  })
  for (const _time of [1, 2]) await expect(away.renew()).rejects.toThrow('away')
  expect(away.asked).toEqual(['claimSessionRenewal', 'releaseSessionRenewal'])
})
