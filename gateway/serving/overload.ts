import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import { AppError } from '../../schema/errors.ts'

export interface RequestRoom {
  /** Counts a request until it is answered. @returns false where there is no room for it */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /** Tells those that were not admitted to come back. */
  refuse: RequestHandler
  inFlight(): number
}

/** Bounds how many requests are in flight, waiting ones and streams included. */
export function requestRoom(max: number): RequestRoom {
  let inFlight = 0
  const refused = new WeakSet<IncomingMessage>()
  return {
    admit(request, response) {
      if (inFlight >= max) {
        refused.add(request)
        return false
      }
      inFlight++
      response.on('close', () => inFlight--)
      return true
    },
    refuse(request, _response, next) {
      if (refused.has(request))
        throw new AppError(
          'OVERLOADED',
          `Too many requests are in flight (HTTP_MAX_REQUESTS is ${max}): try again later`,
        )
      next()
    },
    inFlight: () => inFlight,
  }
}
