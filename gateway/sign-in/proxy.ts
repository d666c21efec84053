import { isUtf8 } from 'node:buffer'
import { AppError } from '../../formats/errors.ts'
import { trusted } from '../http/http-message.ts'
import { permissionsOf } from './roles.ts'
import type { SignInSettings } from './settings.ts'
import type { Identify } from './users.ts'

/** A server in front has signed the user in and says so in headers. Nobody else is believed. */
export function identifyByProxy(settings: SignInSettings): Identify {
  const { proxyAddresses, userHeader, rolesHeader, rolesSeparator } = settings
  const isTrusted = trusted(proxyAddresses)
  return async (request) => {
    const { remoteAddress } = request
    const [given = '', ...others] = request.valuesOf(userHeader)
    const user = textOf(given).trim()
    if (user === '' && others.length === 0) return null
    if (!isTrusted(remoteAddress))
      throw new AppError(
        'UNAUTHENTICATED',
        `${userHeader} is taken from the addresses in PROXY_ADDRESSES only, not from ${remoteAddress}`,
      )
    if (others.length > 0)
      throw new AppError(
        'UNAUTHENTICATED',
        `${userHeader} came ${others.length + 1} times: the server in front must replace what clients send`,
      )
    const names = request
      .valuesOf(rolesHeader)
      .flatMap((value) => textOf(value).split(rolesSeparator))
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
function textOf(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
