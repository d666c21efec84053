import { badInput } from '../../../../formats/errors.ts'
import type { Secrets } from '../../../../platform/secrets.ts'
import type { HostCredentials } from '../../../../runner/run/environment.ts'

/** Characters of host credentials at most. */
const CREDENTIALS_LENGTH = { userId: 255, password: 4_096 } as const

/** @throws AppError BAD_USER_INPUT */
export function checkCredentials(credentials: HostCredentials | null | undefined): void {
  if (!credentials) return
  for (const [name, most] of Object.entries(CREDENTIALS_LENGTH)) {
    const text = credentials[name as keyof HostCredentials]
    if (text.length > most || text.includes('\0'))
      throw badInput(
        `credentials: expected a ${name} of at most ${most} characters, none of them NUL`,
      )
  }
}

/** Sealed as the database holds them; null for none, and for those of a host that asks for none. */
export const sealedCredentials = (
  credentials: HostCredentials | null | undefined,
  secrets: Pick<Secrets, 'seal'>,
): string | null =>
  credentials?.userId || credentials?.password ? secrets.seal(JSON.stringify(credentials)) : null
