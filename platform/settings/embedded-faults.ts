import type { Variables } from './variables.ts'

/** Names of the keys of an embedded database, which stand in `keys.json` instead. */
const KEYS = [
  ['SECRETS_KEY', 'secretsKey'],
  ['SECRETS_KEY_PREVIOUS', 'previousSecretsKey'],
  ['CALLBACK_SIGNING_SECRET', 'callbackSigningSecret'],
] as const

const ADDRESSES = ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const

/**
 * Settings that the embedded database would ignore: most often DATABASE_URL was forgotten or is misspelt, and another
 * database than the one that is meant would be used.
 */
export function embeddedFaults(given: Partial<Variables>): string[] {
  if (given.DATABASE_URL) return []
  return [
    ...KEYS.filter(([name]) => given[name] !== undefined).map(
      ([name, key]) =>
        `${name} needs DATABASE_URL: the embedded database has its key as ${key} in keys.json of DATA_DIR`,
    ),
    ...ADDRESSES.filter((name) => given[name] !== undefined).map(
      (name) => `${name} needs DATABASE_URL`,
    ),
  ]
}
