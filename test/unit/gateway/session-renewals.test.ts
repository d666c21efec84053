import { AppError } from '../../../formats/errors.ts'
import { SessionRenewals } from '../../../gateway/sign-in/session-renewals.ts'
import type { RenewalClaim } from '../../../platform/access/session-grant.ts'
import { eventually } from '../../support/eventually.ts'

const CLAIMS = { sub: '4711', user: 'ada', roles: ['runner'] }
const GRANT = { refreshToken: 'next', claims: CLAIMS, renewInMs: 1, lastsMs: 2 }

/** @param claims what the accounts subgraph answers in turn @param failing what it cannot do, so often */
function start(
  claims: RenewalClaim[],
  renewed: (rotated: (token: string) => void) => Promise<unknown>,
  failing: Record<string, number> = {},
) {
  const asked: string[] = []
  const released: unknown[] = []
  const used: unknown[] = []
  const renewals = new SessionRenewals({
    async renew(refreshToken, claims, rotated = () => {}) {
      used.push([refreshToken, claims])
      await renewed(rotated)
      return { identity: { user: 'ada', permissions: [] }, grant: GRANT }
    },
  })
  const renew = () =>
    renewals.renew('secret', async (document, variables) => {
      const [, name = ''] = /\{ (\w+)/.exec(document) ?? []
      asked.push(name)
      const left = failing[name] ?? 0
      failing[name] = left - 1
      if (left > 0) throw new AppError('OVERLOADED', `${name} is away`)
      if (name === 'releaseSessionRenewal') released.push(variables)
      return { [name]: name === 'claimSessionRenewal' ? claims.shift() : true }
    })
  return { renew, asked, used, released }
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

test('a refresh token that was rotated is kept, although a later step of the renewal fails', async () => {
  const { renew, released } = start([mine], async (rotated) => {
    rotated('second')
    throw new AppError('OVERLOADED', 'UserInfo is away')
  })
  await expect(renew()).rejects.toThrow('UserInfo is away')
  expect(released).toEqual([{ secret: 'secret', until: 7, refreshToken: 'second' }])
})

test('a refresh token that was rotated is kept, although accounts are away for a moment', async () => {
  const { renew, released, asked } = start([mine], async (rotated) => rotated('second'), {
    renewSession: 1,
    releaseSessionRenewal: 1,
  })
  await expect(renew()).rejects.toThrow('renewSession is away')
  await eventually(async () => expect(released).toHaveLength(1))
  expect(released).toEqual([{ secret: 'secret', until: 7, refreshToken: 'second' }])
  expect(asked.filter((name) => name === 'releaseSessionRenewal')).toHaveLength(2)
})
