import ipaddr from 'ipaddr.js'

/** A network: its address and the length of its prefix in bits. */
export type Cidr = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/** @throws unless the text is a network in CIDR notation */
export const parseCidr = (text: string): Cidr => ipaddr.parseCIDR(text)

/** The entries of a list with commas. */
export const splitList = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** True if a text is a list of networks in CIDR notation. */
export const isCidrList = (list: string): boolean => splitList(list).every(ipaddr.isValidCIDR)
