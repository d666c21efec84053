import { AppError } from '../../schema/errors.ts'
import { requirePermission } from '../../subgraphs/shared/access/require-permission.ts'
import type { Caller } from '../../subgraphs/shared/caller.ts'
import type { AuthMode } from '../../subgraphs/shared/variables.ts'
import { endedCookie, requireOwnCookie, sessionCookie } from '../sign-in/session-cookie.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { SessionStreams } from '../sign-in/watch-sign-in.ts'
import { readJson } from './body/json.ts'
import type { Destination } from './destination.ts'
import type { HttpRequest } from './request.ts'
import { type TextResponse, textResponse } from './response.ts'

const SESSION_PATH = '/session'

/** A name and a password are much shorter. */
const BODY_BYTES = 8_192

export interface SessionOptions {
  signIn: Pick<SignIn, 'byPassword' | 'sessions' | 'isSecure'>
  mode: AuthMode
  streams: Pick<SessionStreams, 'end'>
}

/** Sign-in of browsers: a session of theirs is a cookie that scripts cannot read. */
export function sessionDestination({ signIn, mode, streams }: SessionOptions): Destination {
  const { sessions } = signIn
  return {
    path: SESSION_PATH,
    endpoints: {
      GET: {
        isForPages: true,
        handle({ caller }) {
          requirePermission(caller, 'anyone')
          return answer(caller, mode)
        },
      },
      POST: {
        isForPages: true,
        async handle(request) {
          requireOwnCookie(request)
          if (!sessions)
            throw new AppError('FORBIDDEN', `With AUTH_MODE=${mode} there are no sessions to open`)
          const { name, password } = await passwordIn(request)
          const caller = await signIn.byPassword(request, name, password)
          const opened = await sessions.open(caller, request)
          const cookie = cookieOf(opened, signIn.isSecure(request))
          return answer({ ...caller, session: opened.id }, mode, { 'Set-Cookie': cookie })
        },
      },
      DELETE: {
        isForPages: true,
        async handle(request) {
          requireOwnCookie(request)
          const { caller } = request
          if (caller.session) {
            await sessions?.end(caller)
            streams.end(caller.session)
          }
          const headers = { 'Set-Cookie': endedCookie(signIn.isSecure(request)) }
          return { status: 204, headers, text: undefined }
        },
      },
    },
  }
}

/** The cookie of a session that was opened. */
function cookieOf(
  { secret, created, ends }: { secret: string; created: string; ends: string },
  isSecure: boolean,
): string {
  const maxAgeSeconds = Math.round((Date.parse(ends) - Date.parse(created)) / 1_000)
  return sessionCookie(secret, { isSecure, maxAgeSeconds })
}

/** How a page lets its user sign in: by a form, by following a link, or not at all. */
const SIGN_IN: Readonly<Record<AuthMode, { by: string; at: string } | null>> = {
  none: null,
  users: { by: 'password', at: SESSION_PATH },
  oidc: null,
  proxy: null,
}

function answer(
  { user, permissions, session }: Caller,
  mode: AuthMode,
  headers: Record<string, string> = {},
): TextResponse {
  return textResponse({
    status: 200,
    body: { user, permissions, session: session ?? null, authMode: mode, signIn: SIGN_IN[mode] },
    headers: { 'Cache-Control': 'no-store', ...headers },
  })
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
  const { name, password } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  > // any JSON
  // HTTP Basic, by which it is checked, has no colon in a name.
  if (typeof name !== 'string' || typeof password !== 'string' || /[:\0]/.test(name))
    throw new AppError('BAD_USER_INPUT', 'Expected {"name": "…", "password": "…"}')
  return { name, password }
}
