import { isDeepStrictEqual } from 'node:util'
import { failureOf } from '../../formats/failure.ts'
import type { Caller } from '../../platform/access/caller.ts'
import type { Logger } from '../../platform/process/logger.ts'
import type { SubgraphLink } from '../federation/index.ts'
import type { HttpRequest } from '../http/http-message.ts'
import { askAccounts } from './ask-accounts.ts'
import type { Given } from './credential.ts'
import type { SignInSettings } from './settings.ts'
import type { SignIn } from './sign-in.ts'

/** Why a stream ends: its sign-in is not valid any more, or could not be checked for too long. */
export type StreamEnd = 'revoked' | 'unchecked'

/**
 * Checks the sign-in of an open stream again and again, and ends the stream as soon as that fails: its caller could do
 * less, or more, than when it was opened. A check without an answer counts as failed when the grace period is over.
 * @param params what opened the GraphQL connection
 * @returns how to call that off
 */
export type WatchSignIn = (
  request: HttpRequest,
  params: Given | null | undefined,
  end: (why: StreamEnd) => void,
) => () => void

const ENDED = 'query Ended($ids: [ID!]!) { endedSessions(ids: $ids) }'
/** A question that comes again and again, and is logged as such. */
const NOBODY: Caller = { requestId: 'open-streams', user: null, permissions: [], isProbe: true }
/** Between two looks whether sessions of open streams have ended. */
const LOOK_MS = 500

/** The open streams of sessions, so that a sign-out ends them at once, in whatever process it is. */
export class SessionStreams {
  readonly #ends = new Map<string, Set<() => void>>()

  /** @returns how to call that off */
  add(session: string, end: () => void): () => void {
    const ends = this.#ends.get(session) ?? new Set()
    this.#ends.set(session, ends.add(end))
    return () => {
      ends.delete(end)
      if (ends.size === 0) this.#ends.delete(session)
    }
  }

  end(session: string): void {
    for (const end of [...(this.#ends.get(session) ?? [])]) end()
  }

  /** Ends streams whose sessions were ended elsewhere. @returns how to call that off */
  follow(accounts: SubgraphLink): () => void {
    const ask = askAccounts(accounts, NOBODY)
    let isAsking = false
    const look = async () => {
      const ids = [...this.#ends.keys()]
      if (isAsking || ids.length === 0) return
      isAsking = true
      // Without an answer, each stream notices that its sign-in cannot be checked.
      const { endedSessions } = await ask(ENDED, { ids }).catch(() => ({ endedSessions: [] }))
      isAsking = false
      for (const id of endedSessions as string[]) this.end(id)
    }
    const timer = setInterval(look, LOOK_MS).unref()
    return () => clearInterval(timer)
  }
}

export const createWatch =
  (
    signIn: Pick<SignIn, 'recheck'>,
    { recheckMs, graceMs }: Pick<SignInSettings, 'recheckMs' | 'graceMs'>,
    log: Logger,
    streams = new SessionStreams(),
  ): WatchSignIn =>
  (request, params, end) => {
    const proven = request.caller
    const { requestId, user } = proven
    if (user === null) return () => {}
    let isChecking = false
    let isOver = false
    const callOff = () => {
      isOver = true
      leave?.()
      clearInterval(timer)
      clearTimeout(deadline)
    }
    const finish = (why: StreamEnd, reason: string) => {
      if (isOver) return
      callOff()
      log.warn({ requestId, user, why, reason }, 'A stream was ended: its sign-in is not valid now')
      end(why)
    }
    const signedOut = () => finish('revoked', 'The user has signed out')
    const leave = proven.session ? streams.add(proven.session, signedOut) : undefined
    const fuse = (ms: number) =>
      setTimeout(finish, ms, 'unchecked', 'The sign-in could not be checked').unref()
    let deadline = fuse(graceMs)
    const timer = setInterval(async () => {
      if (isChecking) return
      isChecking = true
      const began = performance.now()
      try {
        const now = await signIn.recheck(request, params)
        if (!isSame(now, proven)) return finish('revoked', "The account's permissions changed")
        clearTimeout(deadline)
        // A slow answer says how things stood when it was asked for.
        if (!isOver) deadline = fuse(graceMs - (performance.now() - began))
      } catch (error) {
        const { code, message } = failureOf(error)
        if (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN') finish('revoked', message)
        else log.warn({ requestId, user, code, reason: message }, 'A sign-in could not be checked')
      } finally {
        isChecking = false
      }
    }, recheckMs).unref()
    return callOff
  }

const isSame = (now: Caller, before: Caller): boolean =>
  now.user === before.user &&
  now.subject === before.subject &&
  now.account === before.account &&
  isDeepStrictEqual(now.permissions, before.permissions)
