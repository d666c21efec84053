import { AppError } from '../../formats/errors.ts'
import { isLoopback } from '../../platform/settings/env.ts'
import type { HttpRequest } from '../http/http-message.ts'

/**
 * With `AUTH_MODE=none` every local client has all permissions, so web pages must be kept out. A page can make its own
 * name resolve to this machine (DNS rebinding), but cannot hide that name.
 * @param allowedHosts names besides those of loopback, in lower case
 * @throws AppError FORBIDDEN
 */
export function requireKnownHost(
  { headers: { host } }: Pick<HttpRequest, 'headers'>,
  allowedHosts: readonly string[],
): void {
  if (typeof host !== 'string') return // no browser
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host
  const plain = name.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isLoopback(plain) || plain.endsWith('.localhost') || allowedHosts.includes(plain)) return
  throw new AppError(
    'FORBIDDEN',
    `This server does not go by the name ${plain} (ALLOWED_HOSTS lists its names while AUTH_MODE is none)`,
  )
}
