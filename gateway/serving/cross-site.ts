import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import { crossOrigin, isStrange } from '../../rest-bridge/origins.ts'
import { AppError } from '../../schema/errors.ts'

/**
 * Refuses queries that another site lets a browser send, which needs no preflight for GET: the answer would stay hidden
 * from that site, but not the time that it took. Browsers tell where a request comes from (Fetch Metadata, W3C); older
 * ones send an Origin. A POST carries JSON, for which browsers ask first.
 * @param origins whose pages may call
 */
export const refuseCrossSite =
  (origins: readonly string[]): RequestHandler =>
  ({ method, headers }, _response, next) => {
    if (method === 'GET' && isStrange(headers, origins))
      throw new AppError('FORBIDDEN', 'Queries of other sites are not answered')
    next()
  }

/** Sets the headers that let pages of other origins read an answer, whichever path makes it. */
export function corsOf(
  origins: readonly string[],
): (request: IncomingMessage, response: ServerResponse) => void {
  if (origins.length === 0) return () => {}
  const share = crossOrigin(origins)
  return (request, response) => share(request, response, () => {})
}
