import { isFields } from './fields.ts'

/** Names whose values are secrets for Sentry's server, too. */
const SECRET =
  /passw(or)?d|passphrase|secret|token|api[-_]?key|private[-_]?key|credential|authorization|(^|[-_])auth$|cookie|bearer|(^|[-_])dsn$/i
/** User and password of an address, or the key of a DSN. */
const IN_ADDRESS = /(?<=\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]+(?=@)/gi

/** The value with `***` for secrets: what a name says to be one, and what stands before the host of an address. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(IN_ADDRESS, '***')
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isFields(value)) return value
  const entries = Object.entries(value).map(([name, own]) => [
    name,
    SECRET.test(name) ? '***' : withoutSecrets(own),
  ])
  return Object.fromEntries(entries)
}
