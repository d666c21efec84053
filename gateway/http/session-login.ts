import { statusOf } from '../../formats/errors.ts'
import { failureOf } from '../../formats/failure.ts'
import { hashOfSecret } from '../../platform/access/secret-hash.ts'
import { ownPath, pendingIn, pendingText } from '../sign-in/pending-login.ts'
import { CALLBACK_PATH, type ProviderLogin } from '../sign-in/provider-login.ts'
import {
  endedPending,
  formerOf,
  pendingCookie,
  pendingCookies,
  pendingsOf,
  pendingTextOf,
  providerCookiesOf,
} from '../sign-in/session-cookie.ts'
import type { BrowserSessions } from '../sign-in/sessions.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { type HttpRequest, type TextResponse, textResponse } from './http-message.ts'
import { type Destination, readable } from './router.ts'

/** Path to which a page sends its user to sign in at the provider; `?return=` names the own path to continue at. */
export const LOGIN_PATH = '/session/login'

/** Marks a callback that its own failure page repeats. */
const AGAIN = 'again'

export interface LoginOptions {
  signIn: Pick<SignIn, 'strangerOf' | 'isSecure'>
  provider: ProviderLogin
  sessions: BrowserSessions
}

/** Sign-in of browsers at an OpenID provider: there, and back with a session. */
export function loginDestinations({ signIn, provider, sessions }: LoginOptions): Destination[] {
  const originOf = (request: HttpRequest) => originOfRequest(request, signIn)
  const begin = async (request: HttpRequest) => {
    const returnTo = ownPath(new URLSearchParams(queryOf(request)).get('return') ?? '/')
    const former = formerOf(request.headers)
    const { url, ...pending } = await provider.begin(originOf(request), { returnTo, former })
    return redirect(url, pendingCookies(request.headers, pending, signIn.isSecure(request)))
  }
  const withoutRole = async (
    request: HttpRequest,
    { identity, grant, idToken }: Awaited<ReturnType<ProviderLogin['finish']>>,
    cookie: string,
  ) => {
    if (grant) await provider.revoke(grant.refreshToken)
    const end = await provider.endUrl(originOf(request), idToken ?? null)
    return page(403, 'You have no role', {
      text: `You are ${identity.user}, and may do nothing here. ${identity.withoutRole}. Show this to the operator, and sign in again once it is mended.`,
      links: { 'Sign in again': LOGIN_PATH, ...(end && { 'Sign in as another user': end }) },
      cookie,
    })
  }
  const finish = async (request: HttpRequest) => {
    const isSecure = signIn.isSecure(request)
    const query = new URLSearchParams(queryOf(request))
    const [state = ''] = /^[\w-]{1,128}$/.exec(query.get('state') ?? '') ?? []
    const kept = pendingTextOf(request.headers, state, isSecure)
    if (kept === null && request.caller.user !== null) return redirect('/', [])
    try {
      const found = await provider.finish(originOf(request), queryOf(request), kept)
      const { identity, grant, idToken, returnTo, former } = found
      if (identity.withoutRole && identity.permissions.length === 0)
        return await withoutRole(request, found, endedPending(state, isSecure))
      const caller = { ...signIn.strangerOf(request), ...identity }
      const opened = await sessions.open(caller, request, former, grant)
      const cookies = providerCookiesOf(opened, idToken, isSecure)
      const others = pendingsOf(request.headers, isSecure)
        .filter((each) => each.state !== state)
        .flatMap((each) => replacing(opened.secret, each, isSecure))
      return redirect(returnTo, [...cookies, ...others, endedPending(state, isSecure)])
    } catch (error) {
      const failed = failurePage(error)
      const { headers } = failed
      if (kept !== null && failed.status === 401)
        return { ...failed, headers: { ...headers, 'Set-Cookie': endedPending(state, isSecure) } }
      if (kept !== null || query.has(AGAIN)) return failed
      // Browsers keep the session back from what begins at the provider, also for Back; a page of ours gets it.
      query.set(AGAIN, '1')
      return { ...failed, headers: { ...headers, Refresh: `0; url=${CALLBACK_PATH}?${query}` } }
    }
  }
  return [
    readable(LOGIN_PATH, { handle: (request) => begin(request).catch(failurePage) }),
    readable(CALLBACK_PATH, { handle: finish }),
  ].map((destination) => ({ ...destination, withoutHead: true }))
}

/** The cookie of another tab's sign-in, which ends the session that was opened meanwhile. */
function replacing(
  secret: string,
  { state, kept }: ReturnType<typeof pendingsOf>[number],
  isSecure: boolean,
): string[] {
  const pending = pendingIn(kept)
  if (!pending) return []
  const text = pendingText({ ...pending, former: [hashOfSecret(secret)] })
  return [pendingCookie({ state, kept: text }, isSecure)]
}

/** This server as the browser that sends a request knows it. */
export const originOfRequest = (request: HttpRequest, signIn: Pick<SignIn, 'isSecure'>): string =>
  `${signIn.isSecure(request) ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`

const queryOf = ({ url }: HttpRequest): string =>
  url.includes('?') ? url.slice(url.indexOf('?')) : ''

const NO_REFERRER = { 'Referrer-Policy': 'no-referrer' }

const redirect = (Location: string, cookies: string[]): TextResponse => ({
  status: 303,
  headers: { ...NO_REFERRER, Location, 'Set-Cookie': cookies },
  text: undefined,
})

/** A person waits for the answer, and no script. @throws faults of the product */
function failurePage(error: unknown): TextResponse {
  const { code, message } = failureOf(error)
  if (code === 'INTERNAL_SERVER_ERROR') throw error
  return page(statusOf(code), 'The sign-in failed', {
    text: message,
    links: { 'Sign in again': LOGIN_PATH },
  })
}

/** @param links their addresses by what they say */
function page(
  status: number,
  title: string,
  said: { text: string; links: Record<string, string>; cookie?: string },
): TextResponse {
  const { text, cookie } = said
  const links = Object.entries(said.links).map(
    ([name, href]) => `<p><a href="${escaped(href)}">${name}</a></p>`,
  )
  return textResponse({
    status,
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in · Assay</title>
<h1>${title}</h1><p>${escaped(text)}</p>${links.join('')}</html>`,
    mediaType: 'text/html',
    headers: {
      ...NO_REFERRER,
      'Content-Security-Policy': "default-src 'none'",
      ...(cookie && { 'Set-Cookie': cookie }),
    },
  })
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => ENTITIES[each] ?? '')
