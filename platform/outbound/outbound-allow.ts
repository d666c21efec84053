import { isLoopback } from '../settings/env.ts'
import { splitList } from './cidr.ts'

/** This machine, and private networks. */
const NEARBY = '127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7'

/**
 * The networks that a process may reach besides public addresses.
 * @param list OUTBOUND_ALLOW: networks in CIDR notation, separated by commas
 * @param host without a list: on a loopback address the product may reach this machine and private networks
 */
export const outboundAllow = (list: string | undefined, host: string): string[] =>
  splitList(list ?? (isLoopback(host) ? NEARBY : ''))
