import { isUtf8 } from 'node:buffer'
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
    const user = textOf(headers[userHeader]).trim()
    if (user === '') return null
    if (!isTrusted(remoteAddress))
      throw new AppError(
        'UNAUTHENTICATED',
        `${userHeader} is taken from the addresses in PROXY_ADDRESSES only, not from ${remoteAddress}`,
      )
    const names = textOf(headers[rolesHeader]).split(/[,;]/)
    return {
      user,
      permissions: permissionsOf(
        names.map((name) => name.trim()),
        settings,
      ),
    }
  }
}

/** Proxies write names in UTF-8; Node reads each byte of a header as a character. */
function textOf(header: string | string[] | undefined): string {
  const bytes = Buffer.from(String(header ?? ''), 'latin1')
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
