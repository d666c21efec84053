import type { Caller } from '../caller.ts'

/** What somebody brings to sign in. */
export type Credential =
  | { kind: 'token'; token: string }
  | { kind: 'basic'; user: string; password: string }

/** Who a sign-in proved somebody to be. */
export interface Identity extends Omit<Caller, 'requestId' | 'user' | 'refusal' | 'address'> {
  user: string
}
