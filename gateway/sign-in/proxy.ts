import { AppError } from '../../schema/errors.ts'
import { trusted } from '../http/http-message.ts'
import { permissionsOf } from './roles.ts'
import type { SignInSettings } from './settings.ts'
import type { Identify } from './users.ts'

/** A server in front has signed the user in and says so in headers. Nobody else is believed. */
export function identifyByProxy(settings: SignInSettings): Identify {
  const { proxyAddresses, userHeader, rolesHeader } = settings
  const isTrusted = trusted(proxyAddresses)
  return async ({ remoteAddress, headers }) => {
    const user = String(headers[userHeader] ?? '').trim()
    if (user === '') return null
    if (!isTrusted(remoteAddress))
      throw new AppError(
        'UNAUTHENTICATED',
        `${userHeader} is taken from the addresses in PROXY_ADDRESSES only, not from ${remoteAddress}`,
      )
    const names = String(headers[rolesHeader] ?? '').split(/[,;]/)
    return {
      user,
      permissions: permissionsOf(
        names.map((name) => name.trim()),
        settings,
      ),
    }
  }
}
