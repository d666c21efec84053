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
