import { AppError } from '../../formats/errors.ts'
import type { Caller } from '../../platform/access/caller.ts'
import { requirePermission } from '../../platform/access/guard.ts'
import type { AuthMode } from '../../platform/settings/variables.ts'
import { isRecord } from '../sign-in/is-record.ts'
import {
  allSecretsOf,
  endedCookies,
  formerOf,
  idTokenOf,
  requireOwnCookie,
  sessionCookiesOf,
} from '../sign-in/session-cookie.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { SessionStreams } from '../sign-in/watch-sign-in.ts'
import { readJson } from './body/read.ts'
import { type HttpRequest, textResponse } from './http-message.ts'
import type { Destination } from './router.ts'
import { LOGIN_PATH, originOfRequest } from './session-login.ts'

const SESSION_PATH = '/session'

/** A name and a password are much shorter. */
const BODY_BYTES = 8_192

export interface SessionOptions {
  signIn: Pick<SignIn, 'byPassword' | 'provider' | 'sessions' | 'isSecure' | 'strangerOf'>
  mode: AuthMode
  streams: Pick<SessionStreams, 'end'>
}

/** Sign-in of browsers: a session of theirs is a cookie that scripts cannot read. */
export function sessionDestination({ signIn, mode, streams }: SessionOptions): Destination {
  const { sessions, provider } = signIn
  const way = waysOf(mode, provider)
  const answer = ({ user, permissions, session, subject }: Caller, headers = {}) =>
    textResponse({
      status: 200,
      body: {
        ...{ user, permissions, authMode: mode, signIn: way },
        ...{ subject: subject ?? null, session: session ?? null },
      },
      headers,
    })
  /** Address at which the user signs out of the provider, too. Without a response of the provider the own session has ended all the same. */
  const endAtProvider = async (request: HttpRequest) =>
    provider
      ?.endUrl(originOfRequest(request, signIn), idTokenOf(request.headers))
      .catch(() => null) ?? null
  return {
    path: SESSION_PATH,
    endpoints: {
      GET: {
        isForPages: true,
        handle({ caller }) {
          requirePermission(caller, 'anyone')
          return answer(caller)
        },
      },
      POST: {
        isForPages: true,
        async handle(request) {
          requireOwnCookie(request)
          if (!sessions || provider)
            throw new AppError('FORBIDDEN', `With AUTH_MODE=${mode} no password opens a session`)
          const { name, password } = await passwordIn(request)
          const caller = await signIn.byPassword(request, name, password)
          const opened = await sessions.open(caller, request, formerOf(request.headers))
          const cookies = sessionCookiesOf(opened, signIn.isSecure(request))
          return answer({ ...caller, session: opened.id }, { 'Set-Cookie': cookies })
        },
      },
      DELETE: {
        isForPages: true,
        async handle(request) {
          requireOwnCookie(request)
          // By cookies alone: a token in a header is another sign-in, which goes on.
          const secrets = allSecretsOf(request.headers)
          const ended = (await sessions?.end(secrets, signIn.strangerOf(request))) ?? []
          for (const each of ended) streams.end(each)
          const headers = { 'Set-Cookie': endedCookies(signIn.isSecure(request)) }
          const continueAt = ended.length > 0 ? await endAtProvider(request) : null
          if (continueAt === null) return { status: 204, headers, text: undefined }
          return textResponse({ status: 200, body: { continueAt }, headers })
        },
      },
    },
  }
}

/** Ways in which a page lets its user sign in: by a form, by following a link, or not at all. */
function waysOf(mode: AuthMode, provider: object | null): { by: string; at: string } | null {
  if (mode === 'users') return { by: 'password', at: SESSION_PATH }
  return provider ? { by: 'redirect', at: LOGIN_PATH } : null
}

/** @throws AppError BAD_USER_INPUT, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE */
async function passwordIn(request: HttpRequest): Promise<{ name: string; password: string }> {
  const body = await readJson(request, {
    bytes: BODY_BYTES,
    exceeded: (actual) =>
      new AppError(
        'PAYLOAD_TOO_LARGE',
        `The body has ${actual}; a sign-in has at most ${BODY_BYTES}`,
      ),
  })
  const { name, password } = isRecord(body) ? body : {}
  // HTTP Basic, by which it is checked, has no colon in a name.
  if (typeof name !== 'string' || typeof password !== 'string' || /[:\0]/.test(name))
    throw new AppError('BAD_USER_INPUT', 'Expected {"name": "…", "password": "…"}')
  return { name, password }
}
