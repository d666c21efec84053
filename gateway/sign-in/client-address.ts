import ipaddr from 'ipaddr.js'
import { parseCidr } from '../../subgraphs/platform/outbound/cidr.ts'
import type { HttpRequest } from '../http/request.ts'

/** Tells whether an address belongs to the servers in front. @param networks in CIDR notation */
export function trusted(networks: readonly string[]): (address: string | undefined) => boolean {
  const parsed = networks.map(parseCidr)
  if (parsed.length === 0) return () => false
  return (text) => {
    if (!text || !ipaddr.isValid(text)) return false
    const address = ipaddr.process(text) // IPv4 inside IPv6 as IPv4
    return parsed.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
  }
}

/**
 * Where a request came from: of what servers in front have added to X-Forwarded-For, the last that is none of them. A hop
 * that is no address ends the search: clients write there what they like.
 */
export function clientAddress(
  { remoteAddress, headers }: Pick<HttpRequest, 'remoteAddress' | 'headers'>,
  isTrusted: (address: string | undefined) => boolean,
): string {
  const hops = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => withoutPort(hop.trim()))
    .filter(Boolean)
  let address = remoteAddress ?? ''
  while (isTrusted(address) && ipaddr.isValid(hops.at(-1) ?? '')) address = hops.pop() ?? ''
  return address
}

/** Some servers add `203.0.113.7:49152` or `[2001:db8::7]:49152`. */
const withoutPort = (hop: string): string =>
  hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
