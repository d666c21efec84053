import type { Variables } from '../settings/variables.ts'

/** The first administrator. */
export interface FirstAdmin {
  email: string
  /** One is made and shown if absent. */
  password: string | undefined
}

export const FIRST_ADMIN_VARIABLES = ['AUTH_MODE', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'] as const

/** @returns undefined where users do not sign in here */
export const firstAdminFrom = (
  given: Pick<Variables, (typeof FIRST_ADMIN_VARIABLES)[number]>,
): FirstAdmin | undefined =>
  given.AUTH_MODE === 'users'
    ? { email: given.ADMIN_EMAIL, password: given.ADMIN_PASSWORD }
    : undefined
