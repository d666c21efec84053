import { useSyncExternalStore } from 'react'
import { SETTINGS } from './settings.ts'

/** Where the sign-in of this page stands. */
export type SignInState = 'in' | 'needed'

let token: string | null = null
let state: SignInState = 'in'
const listeners = new Set<() => void>()

const set = (next: SignInState) => {
  state = next
  for (const listener of listeners) listener()
}

/** The token lives in memory alone: a page that is closed has signed out. */
export const tokenHeaders = (): Record<string, string> => (token === null ? {} : { token })

/** The server refused a request for want of a valid sign-in. */
export const requireSignIn = () => set('needed')

export const useSignInState = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )

/** @throws Error that says why it was refused */
export async function signIn(user: string, password: string): Promise<void> {
  const bytes = new TextEncoder().encode(`${user}:${password}`)
  const response = await fetch(`${SETTINGS.apiRoot}/authenticate`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` },
  })
  const answer: { token?: string; message?: string } = await response.json()
  if (!response.ok || !answer.token)
    throw new Error(answer.message ?? 'The server refused the sign-in')
  token = answer.token
  set('in')
}

export async function signOut(): Promise<void> {
  await fetch(`${SETTINGS.apiRoot}/authenticate`, { method: 'DELETE', headers: tokenHeaders() })
  token = null
  set('needed')
}
