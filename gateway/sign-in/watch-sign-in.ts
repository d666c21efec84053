import { isDeepStrictEqual } from 'node:util'
import { failureOf } from '../../schema/failure.ts'
import type { Caller } from '../../subgraphs/shared/caller.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Given } from './credential.ts'
import type { RecheckTimes } from './settings.ts'
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

export const createWatch =
  (signIn: SignIn, { recheckMs, graceMs }: RecheckTimes, log: Logger): WatchSignIn =>
  (request, params, end) => {
    const proven = request.caller
    const { requestId, user } = proven
    if (user === null) return () => {}
    let isChecking = false
    let isOver = false
    const callOff = () => {
      isOver = true
      clearInterval(timer)
      clearTimeout(deadline)
    }
    const finish = (why: StreamEnd, reason: string) => {
      if (isOver) return
      callOff()
      log.warn({ requestId, user, why, reason }, 'A stream was ended: its sign-in is not valid now')
      end(why)
    }
    const fuse = (ms: number) =>
      setTimeout(finish, ms, 'unchecked', 'The sign-in could not be checked').unref()
    let deadline = fuse(graceMs)
    const timer = setInterval(async () => {
      if (isChecking) return
      isChecking = true
      const began = performance.now()
      try {
        const now = await signIn.recheck(request, params)
        if (!isSame(now, proven)) return finish('revoked', 'The account may do other things now')
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
  now.account === before.account &&
  isDeepStrictEqual(now.permissions, before.permissions)
