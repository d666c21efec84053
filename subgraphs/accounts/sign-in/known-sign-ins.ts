import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Credential, Identity } from '../../../platform/access/identity.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { PubSub } from '../../../platform/pub-sub/pub-sub.ts'

/** Pub/sub topic: what was known of sign-ins is to be forgotten. */
const ACCOUNTS_CHANGED = 'accounts-changed'
const MAX = 10_000
/** Another process that changed an account says so; if that gets lost, this is how long it goes unnoticed. */
export const KNOWN_MS = 15_000

/**
 * Sign-ins that were found valid a moment ago, so that a client that sends its password with every event does not cost a
 * password hash each time. The secrets themselves are not kept: a key is their hash with a salt of this process. An HMAC
 * takes 30 times as long, half of what a query for one object takes.
 */
export class KnownSignIns {
  readonly #salt = randomBytes(32).toString('base64')
  readonly #known = new LRUCache<string, Identity>({ max: MAX, ttl: KNOWN_MS })
  readonly #running = new Map<string, Promise<Identity | null>>()
  #generation = 0
  /** Stops listening to other processes. */
  readonly stop: () => void

  constructor(private readonly pubSub: PubSub) {
    this.stop = pubSub.subscribe(ACCOUNTS_CHANGED, () => this.#clear())
  }

  /** Equal sign-ins at the same time are verified once. @param verify null where the sign-in is not valid */
  async identify(
    credential: Credential,
    verify: () => Promise<Identity | null>,
  ): Promise<Identity | null> {
    const key = hash('sha256', this.#salt + JSON.stringify(credential), 'base64')
    const known = this.#known.get(key)
    if (known && !isOver(known)) return known
    const running = this.#running.get(key) ?? this.#verify(key, verify)
    this.#running.set(key, running)
    return running
  }

  /** Something about accounts has changed: every process looks again. */
  forget(): void {
    this.#clear()
    void this.pubSub.publish(ACCOUNTS_CHANGED, '')
  }

  #clear(): void {
    this.#generation++
    this.#known.clear()
    this.#running.clear()
  }

  async #verify(key: string, verify: () => Promise<Identity | null>): Promise<Identity | null> {
    const generation = this.#generation
    try {
      const identity = await verify()
      if (identity && generation === this.#generation) this.#known.set(key, identity)
      return identity
    } finally {
      if (generation === this.#generation) this.#running.delete(key)
    }
  }
}

const isOver = ({ expiresAt }: Identity): boolean =>
  expiresAt !== undefined && expiresAt <= currentTime().getTime()
