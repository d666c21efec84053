import type { RequestHandler } from 'express'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import { callerOf } from './caller-of.ts'

/** Gives every response its `X-Request-Id`, and every request a log line when it is done. */
export const requestLog =
  (log: Logger): RequestHandler =>
  (request, response, next) => {
    const began = performance.now()
    const { requestId } = callerOf(request)
    response.set('X-Request-Id', requestId)
    response.once('close', () => {
      const { method, originalUrl } = request
      const { statusCode: status } = response
      const path = originalUrl.split('?', 1)[0]
      const ms = Math.round(performance.now() - began)
      log[status >= 500 ? 'error' : 'debug']({ requestId, method, path, status, ms }, 'Request')
    })
    next()
  }
