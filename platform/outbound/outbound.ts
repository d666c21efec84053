import { lookup } from 'node:dns/promises'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { Agent, ProxyAgent, request } from 'undici'
import { unlessAborted } from '../async/unless-aborted.ts'
import { type AddressRuleOptions, addressRule } from './address-rules.ts'
import { forbidden, ofProxy, outboundError } from './outbound-error.ts'
import { type OutboundResponse, responseOf } from './outbound-response.ts'

export interface OutboundRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Leaves out what OUTBOUND_ALLOW adds to public addresses. */
  isPublicOnly?: boolean | undefined
  /** For everything: resolving, connecting, the answer and its body. */
  timeoutMs: number
  signal?: AbortSignal
}

/** Requests to addresses that users name. It reaches only what it may reach, whatever a name resolves to. */
export interface Outbound {
  /**
   * Checks a URL without network access: its form, and a literal address in it.
   * @param isPublicOnly leaves out what OUTBOUND_ALLOW adds to public addresses
   * @throws OutboundError FORBIDDEN
   */
  check(url: string, isPublicOnly?: boolean): URL
  /**
   * Sends one request on a connection of its own, to an address that was checked. Follows no redirect.
   * @param receive gets the answer as soon as its headers are there; its body cannot be read later
   * @throws OutboundError when there is no answer; and whatever `receive` throws
   */
  send<T>(
    request: OutboundRequest,
    receive: (response: OutboundResponse) => T | Promise<T>,
  ): Promise<T>
}

export interface OutboundOptions extends AddressRuleOptions {
  /** A forward proxy that requests go through once they are allowed: OUTBOUND_PROXY. */
  proxy?: string | undefined
  resolve?: ResolveName
}

const MAX_URL_LENGTH = 2_048

/** One text for all refused addresses: it does not say which ports of this machine are the product's. */
const REACHABLE = 'public ones are, and those of OUTBOUND_ALLOW, but no port of Assay itself'

const PUBLIC = 'callers without a sign-in reach public ones alone'

export const createOutbound = (options: OutboundOptions): Outbound => new CheckedOutbound(options)

interface Rule {
  isAllowed: ReturnType<typeof addressRule>
  /** In words, for a refusal. */
  allowed: string
}

class CheckedOutbound implements Outbound {
  readonly #reachable: Rule
  readonly #public: Rule
  readonly #resolve: ResolveName
  readonly #proxy: string | undefined

  constructor({ resolve = resolveName, proxy, ...rules }: OutboundOptions) {
    this.#reachable = { isAllowed: addressRule(rules), allowed: REACHABLE }
    this.#public = { isAllowed: addressRule({ ...rules, allow: [] }), allowed: PUBLIC }
    this.#resolve = resolve
    this.#proxy = proxy
  }

  check(text: string, isPublicOnly = false): URL {
    const { isAllowed, allowed } = this.#ruleOf(isPublicOnly)
    if (text.length > MAX_URL_LENGTH)
      throw forbidden(`expected a URL of at most ${MAX_URL_LENGTH} characters, not ${text.length}`)
    const url = URL.canParse(text) ? new URL(text) : null
    if (!url || !/^https?:$/.test(url.protocol))
      throw forbidden('expected a URL that begins with http:// or https://')
    if (url.username || url.password) throw forbidden('a URL must not hold a user or a password')
    const host = hostOf(url)
    if (isIP(host) && !isAllowed(host, portOf(url)))
      throw forbidden(`this address is not allowed: ${allowed}`)
    return url
  }

  async send<T>(
    { url: text, isPublicOnly = false, timeoutMs, signal: cancel, ...rest }: OutboundRequest,
    receive: (response: OutboundResponse) => T | Promise<T>,
  ): Promise<T> {
    const url = this.check(text, isPublicOnly)
    const deadline = new AbortController()
    // Node holds an `AbortSignal.timeout` that is part of another signal until its time is over: that of steps is a day.
    const timer = setTimeout(() => deadline.abort(late()), timeoutMs).unref()
    const signal = cancel ? AbortSignal.any([deadline.signal, cancel]) : deadline.signal
    const explain = (error: unknown) =>
      outboundError(this.#proxy === undefined ? error : ofProxy(error), cancel)
    const fail = (error: unknown) => Promise.reject(explain(error))
    let agent: Agent | ProxyAgent | undefined
    try {
      const addresses = await this.#addressesOf(url, isPublicOnly, signal).catch(fail)
      agent = this.#agentFor(addresses, timeoutMs)
      const response = await request(url, { ...rest, dispatcher: agent, signal }).catch(fail)
      return await receive(responseOf(response, explain))
    } finally {
      clearTimeout(timer)
      await agent?.destroy()
    }
  }

  #ruleOf(isPublicOnly: boolean): Rule {
    return isPublicOnly ? this.#public : this.#reachable
  }

  /** One forbidden address spoils a name: which one gets connected to is for others to decide. */
  async #addressesOf(url: URL, isPublicOnly: boolean, signal: AbortSignal): Promise<string[]> {
    const { isAllowed, allowed } = this.#ruleOf(isPublicOnly)
    const host = hostOf(url)
    if (isIP(host)) return [host]
    const addresses = await unlessAborted(this.#resolve(host), signal)
    if (addresses.length === 0 || !addresses.every((address) => isAllowed(address, portOf(url))))
      throw forbidden(`The name leads to an address that is not allowed: ${allowed}`)
    return addresses
  }

  #agentFor(addresses: readonly string[], timeoutMs: number): Agent | ProxyAgent {
    if (this.#proxy !== undefined) return new ProxyAgent({ uri: this.#proxy, pipelining: 0 })
    return new Agent({
      pipelining: 0,
      connect: { lookup: answering(addresses), timeout: timeoutMs },
    })
  }
}

/** As that of `AbortSignal.timeout`. */
const late = () => new DOMException('No answer in time', 'TimeoutError')

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

const portOf = ({ port, protocol }: URL): number =>
  port ? Number(port) : protocol === 'https:' ? 443 : 80

/** Answers for a name with what was checked, so that a second resolution cannot lead elsewhere. */
const answering =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
    const [first] = found
    if (all || !first) callback(null, found)
    else callback(null, first.address, first.family)
  }

/** Every address of a name. @throws as `node:dns` does */
export type ResolveName = (hostname: string) => Promise<string[]>

/** As the operating system resolves it: hosts file, then DNS. */
export const resolveName: ResolveName = async (hostname) =>
  (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address)
