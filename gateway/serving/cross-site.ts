import type { IncomingHttpHeaders } from 'node:http'
import type { RequestHandler } from 'express'
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

/** `none`: a person typed the address. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none'])

/** Whether a browser says that a page of another site sends this. Other clients say nothing. */
export function isForeign({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return !OWN_SITES.has(String(site))
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)
}
