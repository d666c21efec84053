const MASK = '***'

/** An address as people may read it: user, password and what the query says are hidden, as they may be secrets. */
export function maskedUrl(address: string): string {
  const url = new URL(address)
  if (url.username) url.username = MASK
  if (url.password) url.password = MASK
  // What has no name may be the secret itself.
  url.search = url.search.replace(/([?&][^=&]*=|[?&])[^&]+/g, `$1${MASK}`)
  if (url.hash) url.hash = MASK
  return url.href
}
