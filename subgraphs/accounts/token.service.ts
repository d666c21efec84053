import { v7 as uuidv7 } from 'uuid'
import { AppError, notFound } from '../../formats/errors.ts'
import type { Caller } from '../../platform/access/caller.ts'
import { requirePermission } from '../../platform/access/guard.ts'
import { SCOPES, type Scope } from '../../platform/access/permissions.ts'
import { hashOfSecret } from '../../platform/access/secret-hash.ts'
import { checkText } from '../../platform/database/database-text.ts'
import { currentTime } from '../../platform/process/clock.ts'
import type { ApiToken } from './account.entity.ts'
import type { AccountRepository } from './account.repository.ts'
import type { CreateApiTokenInput } from './account.type.ts'
import type { KnownSignIns } from './sign-in/known-sign-ins.ts'
import { newSecret } from './sign-in/secret.ts'
import type { TokenRepository } from './token.repository.ts'

const DAY_MS = 24 * 60 * 60_000
/** Longest lifetime of a token that ends by itself: a date far ahead would be `neverExpires` in disguise. */
export const TOKEN_YEARS_MAX = 5

/** Dependencies of the service of tokens. */
export interface TokenDeps {
  tokens: TokenRepository
  accounts: AccountRepository
  known: Pick<KnownSignIns, 'forget'>
  /** Lifetime of a token without an expiry of its own. */
  defaultDays: number
}

/** Manages API tokens: users their own, administrators all. */
export class TokenService {
  constructor(
    private readonly deps: TokenDeps,
    private readonly now: () => Date = currentTime,
  ) {}

  ofAccount(accountId: string): Promise<ApiToken[]> {
    return this.deps.tokens.tokensOf(accountId)
  }

  /**
   * @returns the token and its secret, which is shown only once
   * @throws AppError BAD_USER_INPUT, FORBIDDEN, NOT_FOUND; UNAUTHENTICATED where the sign-in has ended meanwhile
   */
  async create(
    { name, scopes, accountId, ...lifetime }: CreateApiTokenInput,
    caller: Caller,
  ): Promise<{ token: ApiToken; secret: string }> {
    if (name.trim() === '' || name.length > 255)
      throw new AppError('BAD_USER_INPUT', 'name: expected 1 to 255 characters')
    checkText('name', name)
    const owner = accountId ?? caller.account
    if (!owner)
      throw new AppError('BAD_USER_INPUT', 'accountId: say whose token it is; you have no account')
    requireOwn(caller, owner)
    if (!(await this.deps.accounts.find(owner))) throw notFound('account', owner)
    const created = this.now()
    const expires = this.#endOf(lifetime, created)
    const secret = newSecret('apiToken')
    const token: ApiToken = {
      id: uuidv7(),
      accountId: owner,
      name,
      scopes: checkScopes(scopes),
      created,
      expires,
      lastUsed: null,
    }
    await this.deps.tokens.insertToken(token, hashOfSecret(secret), caller)
    return { token, secret }
  }

  #endOf(
    { expires, neverExpires }: Pick<CreateApiTokenInput, 'expires' | 'neverExpires'>,
    created: Date,
  ) {
    if (expires && neverExpires)
      throw new AppError('BAD_USER_INPUT', 'neverExpires: leave it out where expires is given')
    if (neverExpires) return null
    if (!expires) return new Date(created.getTime() + this.deps.defaultDays * DAY_MS)
    if (expires <= created) throw new AppError('BAD_USER_INPUT', 'expires: expected a time to come')
    const latest = new Date(created)
    latest.setUTCFullYear(latest.getUTCFullYear() + TOKEN_YEARS_MAX)
    if (expires > latest)
      throw new AppError(
        'BAD_USER_INPUT',
        `expires: at most ${TOKEN_YEARS_MAX} years ahead; for a token without an end, give neverExpires: true instead`,
      )
    return expires
  }

  /** @throws AppError NOT_FOUND, also for a token of another user */
  async revoke(id: string, caller: Caller): Promise<void> {
    const token = await this.deps.tokens.findToken(id)
    const isOthers = token?.accountId !== caller.account
    if (!token || (isOthers && !caller.permissions.includes('accounts:manage')))
      throw notFound('API token', id)
    await this.deps.tokens.removeToken(id)
    this.deps.known.forget()
  }
}

function requireOwn(caller: Caller, accountId: string): void {
  if (accountId !== caller.account) requirePermission(caller, 'accounts:manage')
}

function checkScopes(scopes: readonly string[]): Scope[] {
  const known = SCOPES.filter((scope) => scopes.includes(scope))
  if (scopes.length === 0 || known.length < new Set(scopes).size)
    throw new AppError('BAD_USER_INPUT', `scopes: expected some of ${SCOPES.join(', ')}`)
  return known
}
