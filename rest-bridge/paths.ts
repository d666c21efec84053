import type { Route } from './route.ts'

/** Clients join base and path carelessly: doubled slashes count as one. @param url path and query */
export function tidyUrl(url: string): string {
  const [path = '', ...query] = url.split('?')
  return [path.replace(/\/{2,}/g, '/'), ...query].join('?')
}

/** The value of the `Allow` header: the methods that a path knows. */
export function allowedMethods(routes: readonly Route[], path: string): string {
  const methods = routes
    .filter((route) => route.path === path)
    .map(({ method }) => method.toUpperCase())
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
}
