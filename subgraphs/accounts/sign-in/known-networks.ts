import { LRUCache } from 'lru-cache'
import { networkOf } from '../../../platform/access/client-network.ts'
import type { AuditRepository } from '../audit/audit.repository.ts'

/** For this long after a sign-in a network is known to belong to the account. */
const KNOWN_MS = 7 * 24 * 60 * 60_000
/** The latest networks of one account, so that it evicts none of the others. */
const NETWORKS_OF_ACCOUNT = 20
const ACCOUNTS_MAX = 10_000
/** Addresses that are read back at a start: for each account, as one network has several, and in all. */
const RECALLED_OF_ACCOUNT = 100
const RECALLED_MAX = 50_000

/** The networks that accounts have signed in from. */
export class KnownNetworks {
  readonly #ofAccount = new LRUCache<string, LRUCache<string, true>>({ max: ACCOUNTS_MAX })

  has(account: string, address: string): boolean {
    return this.#ofAccount.get(account)?.has(networkOf(address)) ?? false
  }

  /** @param ageMs how long ago the sign-in was */
  add(account: string, address: string, ageMs = 0): void {
    if (ageMs >= KNOWN_MS) return
    let networks = this.#ofAccount.get(account)
    if (!networks) {
      networks = new LRUCache({ max: NETWORKS_OF_ACCOUNT, ttl: KNOWN_MS })
      this.#ofAccount.set(account, networks)
    }
    networks.set(networkOf(address), true, { ttl: KNOWN_MS - Math.max(0, ageMs) })
  }

  /** Reads them back after a restart. */
  async recall(entries: Pick<AuditRepository, 'signIns'>, now = Date.now()): Promise<void> {
    const found = await entries.signIns(new Date(now - KNOWN_MS), RECALLED_OF_ACCOUNT, RECALLED_MAX)
    // The latest are added last, so they are the last to be evicted.
    for (const { account, address, at } of found.toReversed())
      this.add(account, address, now - at.getTime())
  }
}
