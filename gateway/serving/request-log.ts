import type { RequestListener } from 'node:http'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import { callerOf } from './caller-of.ts'

/** Gives every response its `X-Request-Id`, and every request a log line when it is done. */
export const requestLog =
  (log: Logger): RequestListener =>
  (request, response) => {
    const began = performance.now()
    const { method, url = '' } = request
    const { requestId } = callerOf(request)
    response.setHeader('X-Request-Id', requestId)
    response.on('close', () => {
      const { statusCode: status } = response
      const path = url.split('?', 1)[0]
      const ms = Math.round(performance.now() - began)
      log[status >= 500 ? 'error' : 'debug']({ requestId, method, path, status, ms }, 'Request')
    })
  }
