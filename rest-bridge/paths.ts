import type { RequestHandler } from 'express'
import { AppError } from '../schema/errors.ts'
import type { Route } from './route.ts'

/** Clients join base and path carelessly: doubled slashes count as one. (A slash at the end is Express' business.) */
export const tidyPath: RequestHandler = (request, _response, next) => {
  const [path = '', ...query] = request.url.split('?')
  request.url = [path.replace(/\/{2,}/g, '/'), ...query].join('?')
  next()
}

/** 405 with the methods that the path does know. */
export function methodNotAllowed(routes: readonly Route[], path: string): RequestHandler {
  const methods = routes
    .filter((route) => route.path === path)
    .map(({ method }) => method.toUpperCase())
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
  return (request, response) => {
    response.set('Allow', allow)
    throw new AppError('METHOD_NOT_ALLOWED', `${request.method} is not offered here; use ${allow}`)
  }
}

export const pathNotFound: RequestHandler = ({ originalUrl }) => {
  throw new AppError('NOT_FOUND', `There is nothing at ${originalUrl.split('?', 1)[0]}`)
}
