import { GraphQLError } from 'graphql'
import { AppError } from '../../formats/errors.ts'
import { failureOf } from '../../formats/failure.ts'
import { type Caller, openCaller } from '../../platform/access/caller.ts'
import type { Logger } from '../../platform/process/logger.ts'
import type { SubgraphLink } from '../federation/index.ts'
import { clientAddress, type HttpRequest, protocolBefore, trusted } from '../http/http-message.ts'
import type { Given } from './credential.ts'
import { requireKnownHost } from './known-host.ts'
import { Issuer } from './oidc.ts'
import { ProviderLogin } from './provider-login.ts'
import { identifyByProxy } from './proxy.ts'
import { type BrowserSessions, createBrowserSessions } from './sessions.ts'
import type { SignInSettings } from './settings.ts'
import { type Identify, identifyByAccount } from './users.ts'

/** `params`: what opened the GraphQL connection that the request began; it wins over headers of the same name. */
export interface SignIn {
  /**
   * Identifies the sender of a request. It never fails: a sign-in that is not valid makes a caller whose every operation is refused.
   */
  of(request: HttpRequest, params?: Given | null): Caller | Promise<Caller>
  /**
   * Identifies somebody by a name and a password.
   * @throws AppError UNAUTHENTICATED, RATE_LIMITED; FORBIDDEN where users sign in elsewhere
   */
  byPassword(request: HttpRequest, name: string, password: string): Promise<Caller>
  /** Caller of a request before a sign-in. */
  strangerOf(request: HttpRequest): Caller
  /** True if the client reached us over TLS, as far as PROXY_ADDRESSES are believed. */
  isSecure(request: HttpRequest): boolean
  /** Sign-in at an OpenID provider; null where there is none. */
  provider: ProviderLogin | null
  /** Null where browsers open none: a password or the provider opens one. */
  sessions: BrowserSessions | null
  /** Checks a sign-in that was valid before once more, for an open stream. @throws what refuses it */
  recheck(request: HttpRequest, params?: Given | null): Promise<Caller>
}

export interface SignInOptions {
  settings: SignInSettings
  /** True if only this machine can reach the product. */
  isLocal: boolean
  /** The accounts subgraph; needed where users sign in. */
  accounts: SubgraphLink | undefined
  log: Logger
}

export function createSignIn(options: SignInOptions): SignIn {
  const { settings, accounts, log } = options
  const issuer = settings.mode === 'oidc' ? new Issuer(settings, log) : null
  const identify = issuer?.identify ?? identifierOf(settings, accounts)
  if (!identify) return new OpenSignIn(options)
  const { client, issuer: name } = settings.oidc
  const provider = issuer && client ? new ProviderLogin(name, client, issuer, log) : null
  const opens = settings.mode === 'users' || provider !== null
  const sessions = opens && accounts ? createBrowserSessions(accounts, provider) : null
  return new IdentifyingSignIn(options, identify, provider, sessions)
}

/** Clients as their connections show them. */
class Strangers {
  readonly #isTrusted: ReturnType<typeof trusted>

  constructor(protected readonly options: SignInOptions) {
    this.#isTrusted = trusted(options.settings.proxyAddresses)
  }

  strangerOf(request: HttpRequest): Caller {
    return {
      requestId: request.requestId,
      ...(request.traceparent && { traceparent: request.traceparent }),
      user: null,
      permissions: [],
      address: this.addressOf(request),
    }
  }

  isSecure(request: HttpRequest): boolean {
    if (request.isEncrypted) return true
    return this.#isTrusted(request.remoteAddress) && protocolBefore(request.headers) === 'https'
  }

  async byPassword(request: HttpRequest, user: string, password: string): Promise<Caller> {
    const { settings, accounts } = this.options
    if (settings.mode !== 'users' || !accounts)
      throw new AppError(
        'FORBIDDEN',
        'Passwords are not checked here: GET /session says how to sign in',
      )
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const stranger = this.strangerOf(request)
    const given = { ...stranger, isRecheck: false }
    const identity = await identifyByAccount(accounts)(request, { authorization }, given)
    if (!identity) throw new AppError('UNAUTHENTICATED', 'The sign-in is not valid')
    return { ...stranger, ...identity }
  }

  protected addressOf(request: HttpRequest): string {
    return clientAddress(request, this.#isTrusted)
  }

  protected refuse(request: HttpRequest, error: unknown): Caller {
    const { log } = this.options
    const { requestId } = request
    const { code, message, extensions } = failureOf(error)
    if (code === 'INTERNAL_SERVER_ERROR' && !(error instanceof GraphQLError))
      log.error({ err: error, requestId }, 'A sign-in could not be checked')
    else {
      const address = this.addressOf(request)
      log.warn({ requestId, address, code, reason: message }, 'A sign-in was refused')
    }
    const { retryAfterSeconds } = extensions
    const refusal = { code, message, ...(retryAfterSeconds && { retryAfterSeconds }) }
    return { ...this.strangerOf(request), refusal }
  }
}

/** Everybody may do everything, but for pages of other hosts where only this machine can reach the product. */
class OpenSignIn extends Strangers implements SignIn {
  readonly provider = null
  readonly sessions = null
  #knownHost: string | undefined

  of(request: HttpRequest): Caller {
    const { isLocal, settings } = this.options
    const { host } = request.headers
    try {
      if (isLocal && host !== this.#knownHost) requireKnownHost(request, settings.allowedHosts)
      this.#knownHost = host
      return openCaller(request.requestId, this.addressOf(request), request.traceparent)
    } catch (error) {
      return this.refuse(request, error)
    }
  }

  async recheck({ caller }: HttpRequest): Promise<Caller> {
    return caller
  }
}

class IdentifyingSignIn extends Strangers implements SignIn {
  constructor(
    options: SignInOptions,
    private readonly identify: Identify,
    readonly provider: ProviderLogin | null,
    readonly sessions: BrowserSessions | null,
  ) {
    super(options)
  }

  of(request: HttpRequest, params?: Given | null): Promise<Caller> {
    return this.#identified(request, params, false).catch((error) => this.refuse(request, error))
  }

  recheck(request: HttpRequest, params?: Given | null): Promise<Caller> {
    return this.#identified(request, params, true)
  }

  async #identified(
    request: HttpRequest,
    params: Given | null | undefined,
    isRecheck: boolean,
  ): Promise<Caller> {
    const stranger = this.strangerOf(request)
    const given = { ...request.headers, ...inLowerCase(params ?? {}) }
    const identity =
      (await this.identify(request, given, { ...stranger, isRecheck })) ??
      (await this.sessions?.identify(request, stranger))
    return identity ? { ...stranger, ...identity } : stranger
  }
}

/** Without an issuer. @returns null with `AUTH_MODE=none` */
function identifierOf(
  settings: SignInSettings,
  accounts: SubgraphLink | undefined,
): Identify | null {
  if (settings.mode === 'none') return null
  if (settings.mode === 'proxy') return identifyByProxy(settings)
  if (!accounts) throw new Error('Users sign in by the accounts subgraph, which is not there')
  return identifyByAccount(accounts)
}

const inLowerCase = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
