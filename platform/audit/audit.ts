import { AsyncLocalStorage } from 'node:async_hooks'
import { v7 as uuidv7 } from 'uuid'

import type { Caller } from '../access/caller.ts'

import { currentTime } from '../process/clock.ts'

/** One action of a user. */
export interface AuditEntry {
  /** A UUIDv7, so entries sort by time. */
  id: string
  at: Date
  /** The signed-in user; null without a sign-in. */
  user: string | null
  /** Issuer and subject, where an issuer signed the user in. */
  subject: string | null
  /** The mutation, such as `deleteSuite`; `signIn` and `failedSignIn` for passwords. */
  action: string
  /** Id or name of what it was done to. */
  target: string | null
  requestId: string
  /** Address of the client; null where none is known, as for commands in a terminal. */
  address: string | null
}

interface Pending extends Omit<AuditEntry, 'id' | 'target'> {
  /** One entry is written for each; a null where the arguments name none. */
  targets: readonly (string | null)[]
  isWritten: boolean
  caller: Caller
}

/** The mutation that is being run. A transaction does not know for whom it runs, and need not: see `audited`. */
const running = new AsyncLocalStorage<Pending>()

/**
 * Runs a mutation so that its first transaction that changes something also writes down who did what. All mutations are
 * run like this, and the transactions of all repositories ask `pendingEntry`, so that none can forget it.
 */
export async function audited<Result>(
  action: string,
  caller: Caller,
  args: object,
  run: () => Result,
): Promise<Awaited<Result>> {
  const { user, subject, requestId, address } = caller
  const did = {
    user,
    action,
    targets: [targetOf(args)],
    requestId,
    address: address ?? null,
    subject: subject ?? null,
  }
  const entry = { at: currentTime(), ...did, isWritten: false, caller }
  try {
    return await running.run(entry, run)
  } finally {
    entry.isWritten = true // what goes on in its name from here on is no part of it
  }
}

/** The caller of the running mutation, for what is stored with its rights. */
export const currentCaller = (): Caller | undefined => running.getStore()?.caller

/**
 * Says what the running mutation is about where its arguments do not, such as the id that something new got. Each target
 * has an entry of its own, so that it is found by its id. To be called before the transaction ends.
 */
export function auditTargets(targets: readonly string[]): void {
  const entry = running.getStore()
  if (entry) entry.targets = targets
}

/** User for whom the running mutation runs; null outside of one, and without a sign-in. */
export const runningUser = (): string | null => currentCaller()?.user ?? null

/** Last statement of a transaction (`INSERT_ENTRY`), and a function to call when it wrote something; null where none is needed. */
export function pendingEntry(): { values: unknown[]; written(): void } | null {
  const entry = running.getStore()
  if (!entry || entry.isWritten) return null
  const { at, user, subject, action, requestId, address } = entry
  const ids = entry.targets.map(() => uuidv7())
  // Clients also try ids that no database can hold.
  const targets = entry.targets.map((target) => target?.replaceAll('\0', '\uFFFD') ?? null)
  return {
    values: [ids, at, user, action, targets, requestId, address, subject],
    written: () => {
      entry.isWritten = true
    },
  }
}

/** Writes the entries unless the transaction has changed nothing: then it has no id yet. */
export const INSERT_ENTRY = {
  name: 'insert-audit-entry',
  text: `
  insert into audit.entry (id, at, "user", action, target, request_id, address, subject)
  select unnest($1::uuid[]), $2, $3, $4, unnest($5::text[]), $6, $7, $8
  where pg_current_xact_id_if_assigned() is not null
  returning id`,
}

/** Arguments that name the target of a mutation. */
const NAMES = ['id', 'contextId', 'componentName', 'accountId', 'email', 'name'] as const
const TARGET_LENGTH = 255

function targetOf(args: object): string | null {
  const { input, ...rest } = args as { input?: object }
  const given: Record<string, unknown> = { ...input, ...rest }
  const name = NAMES.find((each) => typeof given[each] === 'string')
  return name ? String(given[name]).slice(0, TARGET_LENGTH) : null
}
