import { AppError } from '../../formats/errors.ts'
import type { Caller } from '../../platform/access/caller.ts'
import { isRole, ROLE_NAMES, type Role, SCOPES } from '../../platform/access/permissions.ts'
import type { AccountService } from './account.service.ts'
import type { CreateApiTokenInput } from './account.type.ts'
import { TOKEN_YEARS_MAX, type TokenService } from './token.service.ts'

interface Services {
  accounts: AccountService
  tokens: TokenService
}

interface Command {
  /** In order, as the usage shows them: `<needed>` ones, then `[others]`. */
  args: readonly string[]
  does: string
  /** @returns what to print @throws AppError whose message names the fault */
  run(services: Services, args: readonly string[], operator: Caller): Promise<string>
}

const DAY_MS = 24 * 60 * 60_000
const DAYS_MAX = TOKEN_YEARS_MAX * 365

/** Commands of `npm run accounts --`. Secrets are printed, never given: arguments can be seen by others. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  list: {
    args: [],
    does: 'lists every account',
    async run({ accounts }) {
      const lines: string[] = []
      for (let after: string | null = null; ; ) {
        const { nodes, pageInfo } = await accounts.page({ first: 1_000, after })
        for (const { email, role, active } of nodes)
          lines.push(`${email}\t${role}\t${active ? 'active' : 'off'}\n`)
        if (!pageInfo.hasNextPage) return lines.join('')
        after = pageInfo.endCursor
      }
    },
  },
  add: {
    args: ['<email>', '<role>'],
    does: 'creates an account and prints its password',
    async run({ accounts }, [email = '', role = '']) {
      const { password } = await accounts.create({ email, role: checkRole(role) })
      return `${password}\n`
    },
  },
  password: {
    args: ['<email>'],
    does: 'sets a new password and prints it',
    run: async ({ accounts }, [email = '']) =>
      `${await accounts.resetPassword((await accounts.named(email)).id)}\n`,
  },
  role: {
    args: ['<email>', '<role>'],
    does: 'sets another role',
    run: (services, [email = '', role = '']) => change(services, email, { role: checkRole(role) }),
  },
  off: {
    args: ['<email>'],
    does: 'switches an account off; its sign-ins are refused',
    run: (services, [email = '']) => change(services, email, { active: false }),
  },
  on: {
    args: ['<email>'],
    does: 'switches it on again',
    run: (services, [email = '']) => change(services, email, { active: true }),
  },
  remove: {
    args: ['<email>'],
    does: 'removes an account with its API tokens',
    async run({ accounts }, [email = '']) {
      await accounts.delete((await accounts.named(email)).id)
      return ''
    },
  },
  tokens: {
    args: ['<email>'],
    does: 'lists the API tokens of an account',
    async run({ accounts, tokens }, [email = '']) {
      const all = await tokens.ofAccount((await accounts.named(email)).id)
      return all
        .map(({ id, name, scopes, expires, lastUsed }) =>
          [id, name, scopes.join(','), dateOf(expires), dateOf(lastUsed)].join('\t'),
        )
        .map((line) => `${line}\n`)
        .join('')
    },
  },
  token: {
    args: ['<email>', '<name>', '<scopes>', '[days|never]'],
    does: `creates an API token and prints it; API_TOKEN_DAYS without days; scopes: ${SCOPES.join(',')}`,
    async run({ accounts, tokens }, [email = '', name = '', scopes = '', days], operator) {
      const { id: accountId } = await accounts.named(email)
      const made = await tokens.create(
        { accountId, name, scopes: scopes.split(','), ...lifetimeOf(days) },
        operator,
      )
      return `${made.secret}\n`
    },
  },
  revoke: {
    args: ['<id>'],
    does: 'ends an API token',
    async run({ tokens }, [id = ''], operator) {
      await tokens.revoke(id, operator)
      return ''
    },
  },
}

/** A line for each. */
export const USAGE = Object.entries(COMMANDS).map(
  ([name, { args, does }]) =>
    `npm run -s accounts -- ${[name, ...args].join(' ').padEnd(42)} ${does}`,
)

/** True if a command takes this number of arguments. */
export const takes = ({ args }: Command, given: number): boolean =>
  given <= args.length && given >= args.filter((arg) => arg.startsWith('<')).length

async function change(
  { accounts }: Services,
  email: string,
  changes: { role?: Role; active?: boolean },
): Promise<string> {
  await accounts.change((await accounts.named(email)).id, changes)
  return ''
}

function checkRole(role: string): Role {
  if (!isRole(role))
    throw new AppError('BAD_USER_INPUT', `role: expected one of ${ROLE_NAMES.join(', ')}`)
  return role
}

function lifetimeOf(
  days: string | undefined,
): Pick<CreateApiTokenInput, 'expires' | 'neverExpires'> {
  if (days === undefined) return {}
  if (days === 'never') return { neverExpires: true }
  const whole = /^\d+$/.test(days) ? Number(days) : 0
  if (whole < 1 || whole > DAYS_MAX)
    throw new AppError(
      'BAD_USER_INPUT',
      `days: expected a whole number from 1 to ${DAYS_MAX}, or never`,
    )
  return { expires: new Date(Date.now() + whole * DAY_MS) }
}

const dateOf = (date: Date | null): string => date?.toISOString() ?? 'never'
