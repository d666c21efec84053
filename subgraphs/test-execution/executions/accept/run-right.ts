import { AppError } from '../../../../formats/errors.ts'
import type { Caller } from '../../../../platform/access/caller.ts'
import { requirePermission } from '../../../../platform/access/guard.ts'
import type { TestCase } from '../../artifacts/testcase/testcase.type.ts'

const RUN = 'executions:run'

/** A caller without a required sign-in. With AUTH_MODE=none none is required, and every caller has all permissions. */
export const isStranger = ({ user, permissions }: Caller): boolean =>
  user === null && !permissions.includes(RUN)

/** @throws AppError FORBIDDEN for a signed-in caller without `executions:run`; what strangers may run depends on what it is */
export function requireRunRight(caller: Caller): void {
  if (!isStranger(caller)) requirePermission(caller, RUN)
}

/**
 * Strangers run only what allows execution without credentials: host credentials are for the host and prove nothing here.
 * @param what names the artifact to run
 * @throws AppError UNAUTHENTICATED for a stranger, FORBIDDEN for others who bring no credentials
 */
export function requireOpen(
  caller: Caller,
  testCases: readonly TestCase[],
  hasCredentials: boolean,
  what: string,
): void {
  const closed = testCases.find((testCase) => !testCase.allowExecuteWithoutCredentials)
  if (!closed) return
  if (isStranger(caller)) throw signInNeeded()
  if (hasCredentials) return
  const message = `The testcase ${closed.id} needs host credentials to be executed`
  throw new AppError(
    'FORBIDDEN',
    what === `the testcase ${closed.id}` ? message : `${message}, so ${what} does, too`,
  )
}

/** For a stranger, a missing artifact looks like a closed one. @throws AppError UNAUTHENTICATED, and what `found` throws */
export async function concealed<T>(caller: Caller, found: Promise<T>): Promise<T> {
  try {
    return await found
  } catch (error) {
    if (isStranger(caller) && error instanceof AppError) throw signInNeeded()
    throw error
  }
}

const signInNeeded = () =>
  new AppError(
    'UNAUTHENTICATED',
    'Sign in: without a sign-in only scenarios whose allowExecuteWithoutCredentials is on are executed, and suites of such',
  )
