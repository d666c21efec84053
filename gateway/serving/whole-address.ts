import type { IncomingMessage } from 'node:http'

const WHOLE = /^https?:\/\/([^/?#]+)(.*)$/i

/** Clients may name the host in the request line, as they do for proxies; then that is the one (RFC 9112, section 3.2.2). */
export function takeWholeAddress(request: IncomingMessage): void {
  const [, host, rest = ''] = WHOLE.exec(request.url ?? '') ?? []
  if (host === undefined) return
  request.headers.host = host
  request.url = rest.startsWith('/') ? rest : `/${rest}`
}
