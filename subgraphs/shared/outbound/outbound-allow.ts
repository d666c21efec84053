import { isLoopback } from '../env.ts'
import { splitList } from './cidr.ts'

/** This machine, and the networks that are nobody else's. */
const NEARBY = '127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7'

/**
 * The networks that a process may reach besides public addresses.
 * @param list OUTBOUND_ALLOW: networks in CIDR notation, separated by commas
 * @param host without a list: while only this machine can use the product, the product may use what is near
 */
export const outboundAllow = (list: string | undefined, host: string): string[] =>
  splitList(list ?? (isLoopback(host) ? NEARBY : ''))
