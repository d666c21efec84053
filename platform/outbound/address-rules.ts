import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { type Cidr, parseCidr } from './cidr.ts'

/** Tells whether the product may connect to an IP address, in whatever notation, at a port. */
export type AddressRule = (address: string, port: number) => boolean

export interface AddressRuleOptions {
  /** Networks that are allowed besides public addresses, in CIDR notation. */
  allow: readonly string[]
  /** Ports of the product itself: closed on the addresses of this machine. May grow. */
  ownPorts: Iterable<number>
}

/**
 * Public unicast addresses, and what `allow` adds. Whatever is special in some way (link-local, multicast, unspecified,
 * IPv4 inside IPv6, benchmarks, documentation…) is closed unless a network of `allow` holds it; a cloud's metadata
 * service only opens to an entry for just that address.
 */
export function addressRule({ allow, ownPorts }: AddressRuleOptions): AddressRule {
  const networks = allow.map(parseCidr)
  return (text, port) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.parse(text)
    const leadsTo = [address, ...carriedBy(address)]
    if (leadsTo.some(isThisMachine) && [...ownPorts].includes(port)) return false
    const holders = networks.filter(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
    return leadsTo.some(isMetadataService)
      ? holders.some(isSingleAddress)
      : isPublic(address) || holders.length > 0
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** A list of special ranges is never complete, so for IPv6 the one range counts that public addresses come from. */
const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST))

const LAST = [12, 13, 14, 15]

/** Networks of IPv6 whose addresses carry one of IPv4, and its bytes. */
const CARRIERS: readonly [network: Cidr, bytes: readonly number[]][] = [
  [parseCidr('::/96'), LAST], // compatible
  [parseCidr('::ffff:0:0/96'), LAST], // mapped
  [parseCidr('::ffff:0:0:0/96'), LAST], // translated
  [parseCidr('64:ff9b::/96'), LAST], // NAT64
  [parseCidr('64:ff9b:1::/48'), LAST], // NAT64 of a site, with prefixes of any length (RFC 6052)
  [parseCidr('64:ff9b:1::/48'), [9, 10, 11, 12]],
  [parseCidr('64:ff9b:1::/48'), [7, 9, 10, 11]],
  [parseCidr('64:ff9b:1::/48'), [6, 7, 9, 10]],
  [parseCidr('2002::/16'), [2, 3, 4, 5]], // 6to4
]

/** The IPv4 address inside an IPv6 address, to which a connection may lead. */
const carriedBy = (address: Address): Address[] =>
  CARRIERS.filter(
    ([[network, bits]]) => network.kind() === address.kind() && address.match(network, bits),
  ).map(([, bytes]) => ipaddr.fromByteArray(bytes.map((at) => address.toByteArray()[at] ?? 0)))

/** Metadata services of clouds, which return credentials of the machine; some have private or public addresses. */
const METADATA_SERVICES = [
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
].map(canonical)

const isMetadataService = (address: Address): boolean =>
  METADATA_SERVICES.includes(canonical(address.toString()))

const isSingleAddress = ([network, bits]: Cidr): boolean =>
  bits === network.toByteArray().length * 8

/** The system takes a connection to an unspecified address for one to itself. */
const isThisMachine = (address: Address): boolean =>
  ['loopback', 'unspecified'].includes(address.range()) ||
  Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .some((entry) => canonical(entry.address) === canonical(address.toString()))

/** Without the zone, which names an interface of this machine. */
function canonical(text: string): string {
  return ipaddr.parse(text.replace(/%.*$/, '')).toNormalizedString()
}
