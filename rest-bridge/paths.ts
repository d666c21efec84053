import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../schema/errors.ts'
import type { Route } from './route.ts'

/** Clients join base and path carelessly: doubled slashes count as one. @param url path and query */
export function tidyUrl(url: string): string {
  const [path = '', ...query] = url.split('?')
  return [path.replace(/\/{2,}/g, '/'), ...query].join('?')
}

/** The value of the `Allow` header of a path that offers these methods. */
export function allowedMethods(offered: readonly Route['method'][]): string {
  const methods = offered.map((method) => method.toUpperCase())
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/** Answers OPTIONS, and refuses what a path does not offer. */
export function otherMethods(offered: readonly Route['method'][]) {
  const allow = allowedMethods(offered)
  return ({ method }: IncomingMessage, response: ServerResponse): void => {
    response.setHeader('Allow', allow)
    if (method !== 'OPTIONS')
      throw new AppError('METHOD_NOT_ALLOWED', `${method} is not offered here; use ${allow}`)
    response.writeHead(204).end()
  }
}
