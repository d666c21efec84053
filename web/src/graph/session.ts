import { createStore } from '../ui/store.ts'

/** Ways in which the server lets people sign in: by a form, by a page elsewhere, or not here. */
export type SignInWay = { by: 'password'; at: string } | { by: 'redirect'; at: string } | null

const PATH = '/session'
const isSignInNeeded = createStore(false)

/** Address at which the sign-in elsewhere begins, to come back to this page. */
export const signInAt = (at: string): string =>
  `${at}?return=${encodeURIComponent(location.pathname + location.search)}`

/** The server refused a request for want of a valid sign-in. */
export const requireSignIn = () => isSignInNeeded.set(true)

export const useIsSignInNeeded = isSignInNeeded.use

let signIns = 0

/** Number of sign-ins since the page was opened: a refusal of what was asked before the last one says nothing of it. */
export const numberOfSignIns = (): number => signIns

/** The name that people see, and what an issuer knows the user by: two users may have one name. */
export interface User {
  user: string
  subject: string | null
}

/** User who was signed in last while this page is open. */
export const lastUser = createStore<User | null>(null)

interface Session {
  user: string | null
  subject: string | null
  signIn?: SignInWay
}

async function session(): Promise<Session> {
  const response = await fetch(PATH)
  return response.json()
}

export async function signInWay(): Promise<SignInWay> {
  const { signIn } = await session()
  return signIn ?? null
}

/**
 * Goes on after a sign-in in another tab; nothing happens without one.
 * @returns another user than the one of before, who is signed in now: going on would lose what that one edited
 */
export async function goOnIfSignedIn(): Promise<string | null> {
  const { user, subject } = await session()
  if (user === null) return null
  const now = { user, subject }
  if (lastUser.get() !== null && !isUserOfBefore(now)) return user
  goOnAs(now)
  return null
}

function isUserOfBefore({ user, subject }: User): boolean {
  const before = lastUser.get()
  return subject === null && before?.subject == null
    ? user.toLowerCase() === before?.user.toLowerCase()
    : subject === before?.subject
}

/** For the user of before the page goes on, with all drafts. For others it starts anew, so that nothing of another user stays in it. */
function goOnAs(user: User): void {
  if (!isUserOfBefore(user)) {
    location.reload()
    return
  }
  signIns++
  isSignInNeeded.set(false)
}

/**
 * Opens a session; its cookie is out of reach of scripts. Then the page goes on.
 * @throws Error that says why it was refused
 */
export async function signIn(name: string, password: string): Promise<void> {
  const response = await fetch(PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
  })
  if (!response.ok) {
    const { message }: { message?: string } = await response.json()
    throw new Error(message ?? 'The server refused the sign-in')
  }
  goOnAs({ user: name.trim(), subject: null })
}

/** Ends the session and its streams, and leads to where the user signs out of the provider, if there is one. */
export async function signOut(): Promise<void> {
  const response = await fetch(PATH, { method: 'DELETE' })
  const { continueAt = '/' }: { continueAt?: string } =
    response.status === 200 ? await response.json() : {}
  location.assign(continueAt)
}
