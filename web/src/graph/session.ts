import { createStore } from '../ui/store.ts'

/** How the server lets people sign in: by a form, by a page elsewhere, or not here. */
export type SignInWay = { by: 'password'; at: string } | { by: 'redirect'; at: string } | null

const PATH = '/session'
const isSignInNeeded = createStore(false)

/** Where the sign-in elsewhere begins, to come back to this page. */
export const signInAt = (at: string): string =>
  `${at}?return=${encodeURIComponent(location.pathname + location.search)}`

/** The server refused a request for want of a valid sign-in. */
export const requireSignIn = () => isSignInNeeded.set(true)

export const useIsSignInNeeded = isSignInNeeded.use

/** Who was signed in last while this page is open. */
export const lastUser = createStore<string | null>(null)

export async function signInWay(): Promise<SignInWay> {
  const response = await fetch(PATH)
  const { signIn }: { signIn?: SignInWay } = await response.json()
  return signIn ?? null
}

/**
 * Opens a session; its cookie is out of reach of scripts. For the user of before the page goes on, with all drafts. For
 * others it starts anew, so that nothing of another user stays in it.
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
  if (name.trim().toLowerCase() === lastUser.get()?.toLowerCase()) isSignInNeeded.set(false)
  else location.reload()
}

/** Ends the session and its streams, and leads to where the user signs out of the provider, if there is one. */
export async function signOut(): Promise<void> {
  const response = await fetch(PATH, { method: 'DELETE' })
  const { continueAt = '/' }: { continueAt?: string } =
    response.status === 200 ? await response.json() : {}
  location.assign(continueAt)
}
