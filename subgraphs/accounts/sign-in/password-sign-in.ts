import { LRUCache } from 'lru-cache'
import { v7 as uuidv7 } from 'uuid'
import type { AuditEntry } from '../../../platform/audit/audit.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { Account } from '../account.entity.ts'
import type { AccountRepository } from '../account.repository.ts'
import type { AuditRepository } from '../audit/audit.repository.ts'
import type { Passwords } from './passwords.ts'

/** A client that sends its password with every request writes one entry in this time for each address. */
const SIGN_IN_ENTRY_MS = 60 * 60_000
const SIGN_IN_ENTRIES_MAX = 50_000

/** Origin of a sign-in, for the audit log. */
export interface Origin {
  address: string
  requestId: string
}

export interface PasswordProof {
  kind: 'password'
  /** In lower case. */
  email: string
  password: string
}

/** Finds accounts by their password, and writes sign-ins down. */
export class PasswordSignIn {
  readonly #written = new LRUCache<string, true>({
    max: SIGN_IN_ENTRIES_MAX,
    ttl: SIGN_IN_ENTRY_MS,
  })

  constructor(
    private readonly accounts: Pick<AccountRepository, 'findByEmail'>,
    private readonly passwords: Passwords,
    private readonly auditLog: Pick<AuditRepository, 'add'>,
    private readonly log: Pick<Logger, 'error'>,
  ) {}

  /** @param origin writes the sign-in down @returns null for a sign-in that is not valid, whatever is wrong with it */
  async accountOf(
    { email, password }: PasswordProof,
    origin?: Origin,
  ): Promise<(Account & { passwordHash: string }) | null> {
    const account = await this.accounts.findByEmail(email)
    const matches = await this.passwords.matches(account?.passwordHash, password)
    if (!account?.active || !matches) {
      // A name without an account may be a password that was typed into the wrong field.
      if (account && origin) this.#writeFailure(account.email, origin)
      return null
    }
    if (origin) await this.#writeSuccess(account.email, origin)
    return account
  }

  /** Nothing waits for it: the time of an answer must not show whether there is such an account. */
  #writeFailure(email: string, origin: Origin): void {
    this.#write({ user: null, action: 'failedSignIn', target: email, ...origin }).catch((err) =>
      this.log.error({ err, ...origin }, 'A failed sign-in is not in the audit log'),
    )
  }

  async #writeSuccess(email: string, origin: Origin): Promise<void> {
    const key = `${origin.address} ${email}`
    if (this.#written.has(key)) return
    await this.#write({ user: email, action: 'signIn', target: email, ...origin })
    this.#written.set(key, true)
  }

  #write(entry: Omit<AuditEntry, 'id' | 'at' | 'subject'>): Promise<void> {
    return this.auditLog.add({ ...entry, id: uuidv7(), at: currentTime() })
  }
}
