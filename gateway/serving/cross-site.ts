import type { RequestHandler } from 'express'
import { AppError } from '../../schema/errors.ts'

/**
 * Refuses queries that another site lets a browser send, which needs no preflight for GET: the answer would stay hidden
 * from that site, but not the time that it took. Browsers tell where a request comes from (Fetch Metadata, W3C); older
 * ones send an Origin. A POST carries JSON, for which browsers ask first.
 */
export const refuseCrossSite: RequestHandler = ({ method, headers }, _response, next) => {
  const site = headers['sec-fetch-site']
  const isForeign =
    site === undefined ? isOtherHost(headers.origin, headers.host) : !OWN_SITES.has(String(site))
  if (method === 'GET' && isForeign)
    throw new AppError('FORBIDDEN', 'Queries of other sites are not answered')
  next()
}

/** `none`: a person typed the address. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none'])

/** Whether a browser says that a page of another host sends this. Other clients send no Origin. */
export const isOtherHost = (origin: string | undefined, host: string | undefined): boolean =>
  origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)
