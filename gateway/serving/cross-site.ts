import type { RequestHandler } from 'express'
import { isForeign } from '../../rest-bridge/origins.ts'
import { AppError } from '../../schema/errors.ts'

/**
 * Refuses queries that another site lets a browser send, which needs no preflight for GET: the answer would stay hidden
 * from that site, but not the time that it took. Browsers tell where a request comes from (Fetch Metadata, W3C); older
 * ones send an Origin. A POST carries JSON, for which browsers ask first.
 */
export const refuseCrossSite: RequestHandler = ({ method, headers }, _response, next) => {
  if (method === 'GET' && isForeign(headers))
    throw new AppError('FORBIDDEN', 'Queries of other sites are not answered')
  next()
}
