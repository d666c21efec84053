import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { parseCidr } from '../../subgraphs/shared/outbound/cidr.ts'

/** Tells whether an address belongs to the servers in front. @param networks in CIDR notation */
export function trusted(networks: readonly string[]): (address: string | undefined) => boolean {
  const parsed = networks.map(parseCidr)
  return (text) => {
    if (!text || !ipaddr.isValid(text)) return false
    const address = ipaddr.process(text) // IPv4 inside IPv6 as IPv4
    return parsed.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
  }
}

/** Where a request came from: of what servers in front have added to X-Forwarded-For, the last that is none of them. */
export function clientAddress(
  { socket, headers }: IncomingMessage,
  isTrusted: (address: string | undefined) => boolean,
): string {
  const hops = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
  let address = socket.remoteAddress ?? ''
  while (isTrusted(address) && hops.length > 0) address = hops.pop() ?? ''
  return address
}
