import ipaddr from 'ipaddr.js'

/** A subscriber of IPv6 gets at least this much, and every address in it (RFC 6177). */
const IPV6_PREFIX = 64

/**
 * Network that counts as one client for limits by address: an IPv4 address, also inside IPv6, or a /64 of IPv6. Other text
 * stands for itself.
 */
export function networkOf(address: string): string {
  const plain = address.split('%', 1)[0] ?? '' // a zone names an interface of this machine
  if (!ipaddr.isValid(plain)) return address
  const parsed = ipaddr.process(plain)
  return parsed instanceof ipaddr.IPv6
    ? ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${IPV6_PREFIX}`).toString()
    : parsed.toString()
}
