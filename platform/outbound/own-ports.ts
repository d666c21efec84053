import { serversOf } from '../database/database-servers.ts'

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'nats:': 4222,
  'tls:': 4222,
}

/** The ports that servers of the product listen on. @param urls of the servers, where there are any */
export const portsOf = (...urls: readonly (string | undefined)[]): number[] =>
  urls.flatMap(serversOfAny).flatMap((text) => {
    const url = URL.parse(text)
    if (!url) return []
    return url.port ? [Number(url.port)] : (DEFAULT_PORTS[url.protocol] ?? [])
  })

const serversOfAny = (url: string | undefined): string[] =>
  url === undefined ? [] : serversOf(url)
