import type { AppError } from '../../schema/errors.ts'
import type { HttpRequest } from './request.ts'
import type { HttpResponse } from './response.ts'

/** The parameters in a path, percent-decoded. @throws URIError unless it is UTF-8 */
export type PathParameters = () => Readonly<Record<string, string>>

/** The body of a failure, where it is not the common one. */
export type FailureBody = (failure: AppError, requestId: string) => unknown

/** What answers one method of a path. */
export interface Endpoint {
  /** @throws what the failure response is made of */
  handle(request: HttpRequest, params: PathParameters): HttpResponse | Promise<HttpResponse>
  failureBody?: FailureBody | undefined
  /** Does not count against HTTP_MAX_REQUESTS. */
  isUnlimited?: boolean
  /** Whether pages of origins that CORS_ORIGINS does not name may call; by default they may read, as CORS hides the answer. */
  isOpenToPages?: boolean
  /** Called by our own pages: a refusal must not open the browser's window for passwords. */
  isForPages?: boolean
}

/** One path of the server: everything that it answers, and how. */
export interface Destination {
  /** A pattern of find-my-way; the request metrics name it. */
  path: string
  /** By method, in the order of `Allow`. GET also answers HEAD. */
  endpoints: Readonly<Partial<Record<string, Endpoint>>>
  withoutHead?: true
  /** For methods that are not offered. */
  failureBody?: FailureBody
}

/** The value of `Allow`. */
export function allowOf({ endpoints, withoutHead }: Destination): string {
  const methods = Object.keys(endpoints)
  return withoutHead ? [...methods, 'OPTIONS'].join(', ') : allowedMethods(methods)
}

/** The same for methods in either case, where GET also answers HEAD. */
export function allowedMethods(offered: readonly string[]): string {
  const methods = offered.map((method) => method.toUpperCase())
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/** A path that is read. */
export const readable = (path: string, GET: Endpoint): Destination => ({ path, endpoints: { GET } })
