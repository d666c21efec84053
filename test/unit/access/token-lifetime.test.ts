import { openCaller } from '../../../platform/access/caller.ts'
import type { AccountRepository } from '../../../subgraphs/accounts/account.repository.ts'
import { COMMANDS } from '../../../subgraphs/accounts/commands.ts'
import type { TokenRepository } from '../../../subgraphs/accounts/token.repository.ts'
import { TokenService } from '../../../subgraphs/accounts/token.service.ts'

const NOW = new Date('2026-02-03T04:05:06Z')
const tokens = { insertToken: async () => {} } as unknown as TokenRepository
const accounts = { find: async () => ({ id: 'ada' }) } as unknown as AccountRepository
const service = new TokenService(
  { tokens, accounts, known: { forget: () => {} }, defaultDays: 90 },
  () => NOW,
)

/** @returns when the token ends, or why there is none */
const endOf = async (expires: string): Promise<Date | string | null> => {
  const caller = { ...openCaller('request'), account: 'ada' }
  const input = { name: 'CI', scopes: ['events:read'], expires: new Date(expires) }
  return service.create(input, caller).then(
    ({ token }) => token.expires,
    ({ message }: Error) => message,
  )
}

test('a token ends at most five years ahead, unless neverExpires is given', async () => {
  expect(await endOf('2031-02-03T04:05:06Z')).toEqual(new Date('2031-02-03T04:05:06Z'))
  for (const far of ['2031-02-03T04:05:07Z', '9999-01-01T00:00:00Z'])
    expect(await endOf(far)).toMatch(/^expires: at most 5 years ahead.* neverExpires: true/)
})

describe('days of a token in a terminal', () => {
  const daysOf = async (days: string) => {
    let expires: Date | null | undefined
    const services = {
      accounts: { named: async () => ({ id: 'ada' }) },
      tokens: {
        async create(input: { expires?: Date }) {
          expires = input.expires
          return {}
        },
      },
    } as never
    const args = ['ada@example.com', 'CI', 'events:read', days]
    await COMMANDS.token?.run(services, args, openCaller('request'))
    return expires && Math.round((expires.getTime() - Date.now()) / 86_400_000)
  }

  test.each(['0', '-1', '1.5', '1e2', '', ' 5', '1826', '99999999', 'soon'])(
    '%j is refused with what is accepted',
    async (days) => {
      await expect(daysOf(days)).rejects.toThrow(
        /^days: expected a whole number from 1 to 1825, or never$/,
      )
    },
  )

  test.each(['1', '1825'])('%s is accepted', async (days) => {
    expect(await daysOf(days)).toBe(Number(days))
  })
})
