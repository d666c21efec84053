import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { AppError } from '../../formats/errors.ts'
import { currentTime } from '../process/clock.ts'
import type { Logger } from '../process/logger.ts'
import type { Caller } from './caller.ts'

export interface CallerSignature {
  /** A token that a stand-alone subgraph accepts for one minute, and for as long as clocks may differ. */
  sign(caller: Caller): Promise<string>
  /** @throws AppError DOWNSTREAM_REFUSED for a missing, forged or expired token */
  verify(token: unknown): Promise<Caller>
}

const AUDIENCE = 'assay-subgraph'
const LIFETIME_SECONDS = 60
/** By how much the clocks of gateway and subgraph may differ. */
export const CLOCK_TOLERANCE_SECONDS = 300
/** A difference that is worth a line in the log, which is written once in this time. */
const NOTED_SECONDS = 10
const NOTED_EVERY_MS = 60_000

/** Signs the caller's context between processes (JWT, HS256) with INTERNAL_SECRET. */
export function createCallerSignature(
  internalSecret: string,
  log?: Pick<Logger, 'warn'>,
): CallerSignature {
  const key = new TextEncoder().encode(internalSecret)
  let notedAt = Number.NEGATIVE_INFINITY

  function noteDifference(iat: number, now: Date): void {
    const differenceSeconds = Math.round(iat - now.getTime() / 1_000)
    // A token is used for a while, so an old one says nothing.
    const isOld = differenceSeconds < 0 && -differenceSeconds <= LIFETIME_SECONDS
    if (isOld || (differenceSeconds <= NOTED_SECONDS && differenceSeconds >= 0)) return
    if (performance.now() - notedAt < NOTED_EVERY_MS) return
    notedAt = performance.now()
    log?.warn(
      { differenceSeconds, toleranceSeconds: CLOCK_TOLERANCE_SECONDS },
      'Clock of a gateway differs from ours: set the time of both machines',
    )
  }

  return {
    sign: (caller) => {
      const seconds = Math.floor(Date.now() / 1_000)
      return new SignJWT({ caller })
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(AUDIENCE)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + LIFETIME_SECONDS)
        .sign(key)
    },
    async verify(token) {
      const now = currentTime()
      try {
        const { payload } = await jwtVerify<{ caller: Caller }>(String(token), key, {
          audience: AUDIENCE,
          algorithms: ['HS256'],
          currentDate: now,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
        })
        const { caller, iat } = payload
        if (iat !== undefined) noteDifference(iat, now)
        return caller
      } catch (cause) {
        throw new AppError('DOWNSTREAM_REFUSED', refusalOf(cause, now), { cause })
      }
    },
  }
}

/** Describes the fault for the operator, in words that say nothing to a stranger. */
function refusalOf(cause: unknown, now: Date): string {
  const answersOnly = 'This subgraph answers only to its gateway'
  if (cause instanceof errors.JWTExpired) {
    const { exp = 0 } = cause.payload as JWTPayload
    const seconds = Math.round(now.getTime() / 1_000 - exp)
    return `${answersOnly}: the signature expired ${seconds} seconds ago, more than the ${CLOCK_TOLERANCE_SECONDS} by which clocks may differ; set the time of both machines`
  }
  if (cause instanceof errors.JWSSignatureVerificationFailed)
    return `${answersOnly}: the signature is of another INTERNAL_SECRET`
  return `${answersOnly}: the request has no signature of it`
}

/** The header, and the key in WebSocket payload extensions, that carries the signed caller. */
export const CALLER_HEADER = 'assay-caller'

/** The header by which our gateway asks for the direct route: its plans need neither judging nor negotiating. */
export const PLANNED_HEADER = 'assay-planned'
