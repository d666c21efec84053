import { RunError } from '../run/error.ts'

/** Names and values of the cookies that a response sets. Of several with one name, the last counts. */
export function cookiesIn(
  setCookie: string | readonly string[] | undefined,
): Record<string, string> {
  const pairs = [setCookie ?? []].flat().flatMap((row): [string, string][] => {
    const [, name = '', value = ''] = /^([^=;]*)=([^;]*)/.exec(row) ?? []
    return name.trim() === '' ? [] : [[name.trim(), value.trim()]]
  })
  return Object.fromEntries(pairs)
}

/** Control characters, and those that end a cookie (RFC 6265, 4.1.1). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const NO_VALUE = /[\u0000-\u001f\u007f;]/
const NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** The header that sends cookies. @throws RunError INVALID_STEP for what no cookie can be */
export function cookieHeader(cookies: Readonly<Record<string, string>>): string {
  for (const [name, value] of Object.entries(cookies))
    if (!NAME.test(name) || NO_VALUE.test(value))
      throw new RunError(
        'INVALID_STEP',
        `${JSON.stringify(name)} in cookies has a name or a value that no cookie can have`,
      )
  return Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
}
